"""Generates tokens with a small GPT with random weights: python3 generate.py [tokens]."""
import sys

import torch
from gpt import GPT, Config


def main():
    tokens = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    torch.manual_seed(0)
    model = GPT(Config()).eval()
    prompt = torch.arange(16).unsqueeze(0)
    ids = model.generate(prompt, tokens)
    print(" ".join(str(i) for i in ids[0, prompt.shape[1] :].tolist()))


if __name__ == "__main__":
    main()
