"""TRL's GRPO trains a tiny random model for ten steps on worlds of Task2Quiz.

The model is made here, of random weights. Each of some calls of tools is one token of its
vocabulary, and it samples no others: so a model that knows nothing calls tools all the time.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from trainers import answers_of, commands_of, earned, example

trl: Any = pytest.importorskip("trl", reason="TRL is missing: run `just trainers`")
transformers: Any = pytest.importorskip("transformers")
t2q = example("trl_t2q")

pytestmark = pytest.mark.filterwarnings("default")

CALLS: list[tuple[str, dict[str, str]]] = [
    *(("act", {"command": f"go {way}"}) for way in ("north", "south", "east", "west")),
    ("act", {"command": "look"}),
    ("act", {"command": "take key"}),
    ("done", {}),
    ("answer", {"answer": "non-answerable"}),
    ("answer", {"answer": "yes"}),
]
STEPS = 10
END = "<|im_end|>"


def call_text(name: str, arguments: dict[str, Any]) -> str:
    """Return a call as models of Qwen3's template write it."""
    said = json.dumps({"name": name, "arguments": arguments})
    return f"<tool_call>\n{said}\n</tool_call>"


def tokenizer(texts: Sequence[str]) -> Any:
    """Return a tokenizer that is learnt from some texts, in which each call is one token.

    Its template is that of Qwen3.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=2_000, initial_alphabet=alphabet, show_progress=False)
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=END, pad_token="<|endoftext|>"
    )
    fast.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    fast.add_tokens([call_text(*call) for call in CALLS])
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    fast.chat_template = template.read_text(encoding="utf-8")
    return fast


def model(words: Any) -> Any:
    """Return a tiny model of random weights."""
    transformers.set_seed(0)
    return transformers.Qwen3ForCausalLM(
        transformers.Qwen3Config(
            vocab_size=len(words), hidden_size=16, intermediate_size=32, num_hidden_layers=2,
            num_attention_heads=2, num_key_value_heads=1, head_dim=8, tie_word_embeddings=False,
            max_position_embeddings=32_768, eos_token_id=words.eos_token_id,
            pad_token_id=words.pad_token_id, bos_token_id=None,
        )
    )  # fmt: skip


def tools_of(env: Any) -> list[Any]:
    """Return the tools of an environment, as TRL finds them."""
    named = inspect.getmembers(type(env), inspect.isfunction)
    return [getattr(env, name) for name, _ in named if name[0] != "_" and name != "reset"]


def test_grpo_trains_ten_steps_by_the_rewards(tmp_path: Path) -> None:
    from datasets import Dataset

    schemas = json.dumps(
        [transformers.utils.get_json_schema(tool) for tool in tools_of(t2q.T2QTools())]
    )
    asked = t2q.rows(1)[0]["prompt"][0]["content"]
    assert asked.startswith("You are a player")
    words = tokenizer([schemas, asked, t2q.T2QTools().reset(seed=0)])
    calls = [words.convert_tokens_to_ids(call_text(*call)) for call in CALLS]
    said = {words.eos_token_id, *calls}
    made: list[Any] = []

    def environment() -> Any:
        made.append(t2q.T2QTools("easy", questions=3))
        return made[-1]

    trainer = trl.GRPOTrainer(
        model=model(words),
        processing_class=words,
        train_dataset=Dataset.from_list(t2q.rows(3)),
        environment_factory=environment,
        reward_funcs=t2q.reward,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path / "out"),
            max_steps=STEPS,
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=1_000,
            max_tool_calling_iterations=6,
            logging_steps=1,
            learning_rate=1e-3,
            report_to=[],
            save_strategy="no",
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            generation_kwargs={
                "suppress_tokens": [n for n in range(len(words)) if n not in said],
            },
        ),
    )
    before = trainer.model.lm_head.weight.detach().clone()
    trainer.train()
    steps = [each for each in trainer.state.log_history if "reward" in each]
    assert len(steps) == STEPS
    assert sum(step["tools/call_frequency"] for step in steps) > STEPS
    assert any(step["reward"] > 0 for step in steps)  # somebody walked somewhere
    assert any(step["reward_std"] > 0 for step in steps)
    assert (trainer.model.lm_head.weight != before).any()
    assert len(made) == 4


def test_the_tools_of_a_model_earn_what_scores_say() -> None:
    """Carried out as TRL does it: by name, from the arguments that it read."""
    env = t2q.T2QTools("easy")
    assert "Task 1" in env.reset(**t2q.rows(1, first=3)[0])
    schemas = {
        tool.__name__: transformers.utils.get_json_schema(tool)["function"]
        for tool in tools_of(env)
    }
    assert schemas.keys() == {"act", "done", "answer"}
    found = []
    for tool, argument, texts in (
        ("act", "command", commands_of(3)), ("answer", "answer", answers_of(3)),
    ):  # fmt: skip
        assert schemas[tool]["parameters"]["properties"].keys() == {argument}
        for text in texts:
            getattr(env, tool)(**{argument: text})
            found.append(env._rewards())
    assert found == earned(3)
    assert t2q.reward([env]) == [sum(found[-1].values())]
    assert found[-1]["task"] == 1
    with pytest.raises(ValueError, match="No question"):
        env.answer("yes")
