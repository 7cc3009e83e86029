"""What one visitor does without a browser: looks at Explore, moves sliders, brings a table, explores it, and leaves."""

from __future__ import annotations

import asyncio
import random

import numpy as np

from tests.benchmarks.client import Tab, tab
from tests.scale.upload import put

_SLIDERS = (
    "Share of changes not protected, γ (no count of people)",
    "Trials, m: made-up tables with one row changed",
    "ε (more ε: less protection, more accuracy)",
)


def table(luck: random.Random, megabytes: float) -> bytes:
    """A CSV of about so many megabytes: numbers with a few decimals, a code, and a column of text."""
    rng = np.random.default_rng(luck.getrandbits(64))
    count = max(int(megabytes * 2**20 / 26), 10)
    incomes, codes = rng.exponential(1e4, count).round(2), rng.integers(0, 9, count)
    rows = [
        f"{income},{code},name {code % 7} {index % 100:02d}"
        for index, (income, code) in enumerate(zip(incomes, codes, strict=True))
    ]
    return ("income,code,who\n" + "\n".join(rows) + "\n").encode()


async def stay(address: str, luck: random.Random, moves: int, pause: float, megabytes: float | None) -> None:
    """A visit with so many moves of sliders; with a table of its own after half of them, where a size is given."""
    async with tab(address) as visitor:
        for move in range(moves):
            if move == moves // 2 and megabytes is not None:
                await bring(visitor, address, await asyncio.to_thread(table, luck, megabytes))
            label = luck.choice([label for label in _SLIDERS if label in visitor.sliders])
            await visitor.move(label, luck.choice(visitor.sliders[label].options))
            await asyncio.sleep(luck.expovariate(1 / pause))


async def bring(visitor: Tab, address: str, content: bytes) -> None:
    """Upload a table, declare it public, and explore it."""
    await visitor.go("your_data")
    where = await visitor.file_address("t.csv")
    status = await asyncio.to_thread(put, address, where.upload_url, content)
    if status != 204:
        raise RuntimeError(f"an upload of {len(content):,} bytes was answered with {status}")
    uploader = next(label for label in visitor.widgets if label.startswith("A CSV"))
    await visitor.attach(uploader, "t.csv", len(content), where)
    await visitor.choose("This table is", "Public")
    await visitor.press("Explore this table")
    if not visitor.charts:
        raise RuntimeError("the uploaded table was not explored")
