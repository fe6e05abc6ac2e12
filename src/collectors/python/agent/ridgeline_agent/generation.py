"""Phases of generate() of transformers, 4.30 and later: prefill, decode, decode_step.

Prefill is the first call of the model itself, or `_prefill` (5.0 and later), or
`_prefill_chunking` (4.52 to 4.57). A token ends when the decode loop tests whether it
goes on (`_has_unfinished_sequences`, 4.39 and later), or else when the next forward
begins. `_update_model_kwargs_for_generation`, once per forward in all versions, says that
a token is being made. Neither the length of the input nor `cache_position` is used.
"""
import time

from .calls import OUTSIDE, local
from .wrapping import guarded, wrap


class Tokens:
    """The phases and token times of one generate()."""

    def __init__(self, model, marks, state, prompt, has_prefill):
        self._model = model
        self._marks = marks
        self._state = state
        self._has_prefill = has_prefill  # transformers marks prefill itself.
        self._open = []  # Marks of open phases, innermost last.
        self._is_in_prefill = False
        self._ends_prefill = False  # With the forward that is running.
        self._is_token_pending = False
        self._has_forward_ended = False
        self._is_encoder_decoder = bool(
            getattr(getattr(model, "config", None), "is_encoder_decoder", False)
        )
        self._prompt = prompt
        self._prefill_start_ns = None
        self._prefill_ns = None
        self._token_ends_ns = []
        self._generated = None

    def forward_begins(self, module):
        if module is not self._model or self._is_in_prefill:
            return  # An encoder, or a chunk.
        if self._is_token_pending or self._has_forward_ended:
            self._token_ends()
        if self._prefill_ns is None and not self._has_prefill:
            self.prefill_begins()
            self._ends_prefill = True
        elif self._token_ends_ns and len(self._open) < 2:
            self._open_step()

    def forward_ends(self, module):
        if module is not self._model:
            return
        if self._ends_prefill:
            self.prefill_ends()
        if not self._is_in_prefill and not (
            self._has_prefill and self._prefill_ns is None
        ):
            self._has_forward_ended = True

    def prefill_begins(self):
        self._is_in_prefill = True
        self._open_phase("prefill")
        self._prefill_start_ns = time.perf_counter_ns()

    def prefill_ends(self):
        if not self._is_in_prefill:
            return
        self._prefill_ns = time.perf_counter_ns() - self._prefill_start_ns
        self._is_in_prefill = self._ends_prefill = False
        self.close(0)

    def token_begins(self):
        self._is_token_pending = True

    def loop_tested(self, goes_on):
        if not self._is_token_pending:
            return  # Before the first token.
        self._token_ends()
        if goes_on:
            self._open_step()

    def finish(self, output):
        if self._is_token_pending or self._has_forward_ended:
            self._token_ends()
        self.close(0)
        self._generated = self._count(output)

    def depth(self):
        return len(self._open)

    def close(self, depth):
        """Closes phases that were opened inside."""
        while len(self._open) > depth:
            self._marks.close(self._open.pop())

    def fields(self, call_start_ns):
        """What the line of the call says about tokens."""
        batch, prompt = self._prompt or (None, None)
        ends = self._token_ends_ns
        return {
            "batch": batch,
            "prompt_tokens": prompt,
            "generated_tokens": self._generated,
            "prefill_ns": self._prefill_ns,
            "ttft_ns": ends[0] - call_start_ns if ends else None,
            "decode_ns": ends[-1] - ends[0] if ends else None,
            "decode_step_ns": [end - begin for begin, end in zip(ends, ends[1:])],
        }

    def _token_ends(self):
        self._is_token_pending = self._has_forward_ended = False
        self._token_ends_ns.append(time.perf_counter_ns())
        self.close(1)  # The step, not decode.

    def _open_step(self):
        if not self._open:
            self._open_phase("decode")
        self._open_phase("decode_step")

    def _open_phase(self, label):
        self._open.append(self._marks.open(label, self._state.is_profiled))

    def _count(self, output):
        """New tokens of each sequence, from the shape of the output."""
        output = getattr(output, "sequences", output)
        shape = getattr(output, "shape", None)
        if shape is None or len(shape) != 2:
            return None
        length = int(shape[1])
        if self._is_encoder_decoder:
            return length - 1  # Begins with a start token.
        if self._prompt is None or self._prompt[1] is None:
            return length  # inputs_embeds: only new tokens are returned.
        return length - self._prompt[1]


class Generation:
    def __init__(self, marks, calls, failed):
        self._marks = marks
        self._calls = calls
        self._failed = failed
        self._has_prefill = False

    def install(self, utils):
        """Wraps methods of GenerationMixin in transformers.generation.utils."""
        mixin = utils.GenerationMixin
        self._has_prefill = "_prefill" in vars(mixin)
        for name, begin in (
            ("generate", self._begin_generate),
            ("_prefill", self._begin_prefill),
            ("_prefill_chunking", self._begin_prefill),
            ("_update_model_kwargs_for_generation", self._begin_update),
            ("_has_unfinished_sequences", self._begin_test),
        ):
            function = vars(mixin).get(name)
            if callable(function):
                setattr(mixin, name, wrap(function, guarded(begin, self._failed)))

    def _begin_generate(self, args, kwargs):
        state = local.state
        model = args[0]
        mode, outer_tokens = state.mode, state.tokens
        state.generates += 1
        own_call = None
        if state.generates > 1:
            state.tokens = None  # An assistant model: its forwards are not our steps.
        else:
            if state.call is None and self._calls.wants("generate"):
                own_call = self._calls.begin(
                    state, "generate", type(model).__name__ + ".generate"
                )
            tokens = Tokens(
                model, self._marks, state, _prompt(args, kwargs), self._has_prefill
            )
            state.tokens = tokens
            if state.call is not None and state.call.tokens is None:
                state.call.tokens = tokens
        # generate() inside of a forward: the forwards in it are outermost again.
        state.mode = OUTSIDE

        def end(failure, result):
            tokens = state.tokens
            state.generates -= 1
            state.mode, state.tokens = mode, outer_tokens
            if tokens is not None:
                tokens.finish(result)
            if own_call is not None:
                self._calls.end(state, own_call, failure)

        return end

    @staticmethod
    def _begin_prefill(args, kwargs):
        tokens = local.state.tokens
        if tokens is None:
            return None
        tokens.prefill_begins()
        return lambda failure, result: tokens.prefill_ends()

    @staticmethod
    def _begin_update(args, kwargs):
        tokens = local.state.tokens
        if tokens is not None:
            tokens.token_begins()

    @staticmethod
    def _begin_test(args, kwargs):
        tokens = local.state.tokens
        if tokens is None:
            return None
        return lambda failure, result: tokens.loop_tested(bool(result))


def _prompt(args, kwargs):
    """(batch, tokens) of the input of generate(); None if there is no 2-D tensor."""
    inputs = args[1] if len(args) > 1 else kwargs.get("inputs")
    if inputs is None:
        inputs = kwargs.get("input_ids")
    shape = getattr(inputs, "shape", None)
    if shape is not None and len(shape) == 2:
        return int(shape[0]), int(shape[1])
    embeddings = getattr(kwargs.get("inputs_embeds"), "shape", None)
    if embeddings is not None and len(embeddings) == 3:
        return int(embeddings[0]), None
    return None
