"""Phases of generate() of transformers, on models with random weights."""
import unittest

from agent_case import AgentCase, needs_nvtx, needs_transformers

MODELS = """
import torch
from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM
SIZES = dict(vocab_size=64, hidden_size=16, intermediate_size=32, num_hidden_layers=2,
             num_attention_heads=4, num_key_value_heads=2, eos_token_id=None,
             bos_token_id=None, pad_token_id=0)
def llama(**changes):
    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(**dict(SIZES, **changes))).eval()
def qwen():
    torch.manual_seed(0)
    return Qwen2ForCausalLM(Qwen2Config(**SIZES)).eval()
prompt = torch.arange(5)[None]
"""
REQUEST = {"calls": True, "generate": True, "ranges": {"max_depth": 1}}


@needs_transformers
class GenerationTest(AgentCase):
    def same(self, program, request):
        plain = self.run_program(program, agent=False)
        run = self.run_well(program, request)
        self.assertEqual((run.stdout, run.stderr), (plain.stdout, plain.stderr))
        return run

    @needs_nvtx
    def test_one_prefill_and_a_step_for_each_further_token(self):
        program = MODELS + (
            "for model in (llama(), qwen()):\n"
            "    print(model.generate(prompt, max_new_tokens=6, do_sample=False).tolist())\n"
            "model.generate(prompt.repeat(3, 1), max_new_tokens=1, do_sample=False)\n"
            "model.generate(prompt[:, :1], max_new_tokens=3, use_cache=False)\n"
            "model.generate(prompt, max_new_tokens=3, num_beams=2)\n"
        )
        run = self.same(program, REQUEST)
        rows = [
            (c["name"], c["batch"], c["prompt_tokens"], c["generated_tokens"], c["forwards"])
            for c in run.lines("call")
        ]
        self.assertEqual(
            rows,
            [
                ("LlamaForCausalLM.generate", 1, 5, 6, 6),
                ("Qwen2ForCausalLM.generate", 1, 5, 6, 6),
                ("Qwen2ForCausalLM.generate", 3, 5, 1, 1),
                ("Qwen2ForCausalLM.generate", 1, 1, 3, 3),
                ("Qwen2ForCausalLM.generate", 1, 5, 3, 3),
            ],
        )
        for call in run.lines("call"):
            self.assertEqual(len(call["decode_step_ns"]), call["generated_tokens"] - 1)
            self.assertEqual(sum(call["decode_step_ns"]), call["decode_ns"])
            self.assertLessEqual(call["prefill_ns"], call["ttft_ns"])
            self.assertLessEqual(call["ttft_ns"] + call["decode_ns"], call["duration_ns"])
        self.assertEqual(
            {path: opened for path, (opened, closed) in run.ranges.items()},
            {
                "generate": 5,
                "generate/prefill": 5,
                "generate/prefill/LlamaForCausalLM": 1,
                "generate/prefill/Qwen2ForCausalLM": 4,
                "generate/decode": 4,
                "generate/decode/decode_step": 5 + 5 + 2 + 2,
                "generate/decode/decode_step/LlamaForCausalLM": 5,
                "generate/decode/decode_step/Qwen2ForCausalLM": 5 + 2 + 2,
            },
        )

    @needs_nvtx
    def test_other_ways_of_generating(self):
        program = MODELS + (
            "from transformers import AutoModelForSeq2SeqLM, T5Config\n"
            "def broken(*_):\n"
            "    raise KeyError('stop')\n"
            "model = llama()\n"
            # An assistant generates inside; tokens are not forwards.
            "model.generate(prompt, max_new_tokens=6, do_sample=False, assistant_model=llama())\n"
            # From embeddings only new tokens are returned.
            "model.generate(inputs_embeds=model.get_input_embeddings()(prompt), max_new_tokens=4)\n"
            # An encoder before the prefill.
            "t5 = AutoModelForSeq2SeqLM.from_config(T5Config(vocab_size=64, d_model=16, d_kv=4, d_ff=32,\n"
            "    num_layers=1, num_heads=2, decoder_start_token_id=0, eos_token_id=None, pad_token_id=0))\n"
            "t5.generate(prompt, max_new_tokens=3, min_new_tokens=3, do_sample=False)\n"
            # An error in the third forward.
            "model.lm_head.register_forward_hook(lambda m, a, o: broken() if m.calls == 2 else setattr(m, 'calls', m.calls + 1))\n"
            "model.lm_head.calls = 0\n"
            "try:\n"
            "    model.generate(prompt, max_new_tokens=6)\n"
            "except KeyError:\n"
            "    print('stopped')\n"
        )
        run = self.same(program, REQUEST)
        calls = [call for call in run.lines("call") if call["kind"] == "generate"]
        assisted, embedded, encoded, failed = calls
        self.assertEqual(assisted["generated_tokens"], 6)
        self.assertLess(len(assisted["decode_step_ns"]), 5)  # Several tokens per step.
        self.assertEqual((embedded["batch"], embedded["prompt_tokens"]), (1, None))
        self.assertEqual((embedded["generated_tokens"], embedded["forwards"]), (4, 4))
        self.assertEqual((encoded["generated_tokens"], encoded["forwards"]), (3, 4))
        self.assertEqual(len(encoded["decode_step_ns"]), 2)
        self.assertEqual((failed["error"], failed["forwards"]), ("KeyError", 3))
        for path, (opened, closed) in run.ranges.items():
            self.assertEqual(opened, closed, path)
        self.assertEqual(run.listing["left_out"]["pops_without_push"], 0)

    def test_a_profiled_generate_has_the_phases(self):
        program = MODELS + "llama().generate(prompt, max_new_tokens=3, do_sample=False)\n"
        request = dict(REQUEST, profile={"warmup_calls": 0}, ranges=None)
        run = self.run_well(program, request)
        names = run.annotations()
        self.assertEqual(names[:4], ["generate", "prefill", "LlamaForCausalLM", "model"])
        self.assertEqual(names.count("decode_step"), 2)
        self.assertEqual(names.count("model.layers.1.mlp.down_proj"), 3)


if __name__ == "__main__":
    unittest.main()
