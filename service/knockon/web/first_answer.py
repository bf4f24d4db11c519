"""The first question of the README, asked of the running service as any client would, and its answer as text."""

import http.client
import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import URLError

COMMAND = "vllm serve Qwen/Qwen3-235B-A22B --tensor-parallel-size 8"
QUERY = """query FirstQuestion($command: String!) {
  check(input: {command: $command}) {
    ... on CheckAnswer {
      verdict
      findings {
        rule { id }
        verdict
        says { en }
        derivation { expression value says { en } }
        fixes { says { en } range set { name value } knockOn { en } }
        sources { title url }
      }
    }
    ... on InputProblem { message }
    ... on NotFound { message }
  }
}
"""
# A cold start reads the whole revision; on two busy cores that took 4 s.
_WAIT_S = 60.0
_AGAIN_S = 0.05


def tell_first_answer(url: str, say: Callable[[str], None]) -> None:
    """Wait until the service at `url` is ready, ask it, and say the answer."""
    try:
        _wait_until_ready(url)
        asked = urllib.request.Request(  # noqa: S310 - our own address
            f"{url}/graphql",
            data=json.dumps({"query": QUERY, "variables": {"command": COMMAND}}).encode(),
            headers={"content-type": "application/json"},
        )
        with _here().open(asked, timeout=_WAIT_S) as response:
            answer = json.load(response)
        say("\n" + "\n".join(told(answer["data"]["check"])))
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError) as error:
        say(f"\nThe first question got no answer: {error}. The service's own messages say more.")


def told(check: dict[str, Any]) -> Iterator[str]:
    """The answer in lines for people."""
    yield f"The first question:  {COMMAND}"
    if "verdict" not in check:
        yield f"  {check.get('message')}"
        return
    yield f"The answer:          {check['verdict'].lower()}"
    for finding in check["findings"]:
        yield ""
        yield f"{finding['rule']['id']} {finding['verdict'].lower()}: {finding['says']['en']}"
        for number, step in enumerate(finding["derivation"], 1):
            yield f"  {number}. {step['says']['en']}  [{step['expression']} = {step['value']}]"
        for fix in finding["fixes"]:
            settings = ", ".join(f"{one['name']} = {one['value']}" for one in fix["set"])
            valid = f", valid range {fix['range']}" if fix["range"] else ""
            yield f"  Fix: {fix['says']['en']}" + (f"  [{settings}{valid}]" if settings else "")
            yield from (f"    but: {one['en']}" for one in fix["knockOn"])
        yield from (f"  Source: {one['title']}, {one['url']}" for one in finding["sources"])


def _wait_until_ready(url: str) -> None:
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            with _here().open(f"{url}/readyz", timeout=_WAIT_S):
                return
        except URLError:
            # Not listening yet, or 503 until the revision is loaded.
            if time.monotonic() > until:
                raise
            time.sleep(_AGAIN_S)


def _here() -> urllib.request.OpenerDirector:
    """An opener that goes straight to this machine, whatever proxy the environment names."""
    return urllib.request.build_opener(urllib.request.ProxyHandler({}))
