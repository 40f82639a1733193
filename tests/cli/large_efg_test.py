#!/usr/bin/env python3
"""A file of 100 MB loads in seconds, and nothing of it is lost."""
import os
import resource
import time

from support import Cli, main

BYTES = 100_000_000
DEPTH = 7  # moves after the deal; both players see them
SECONDS, PEAK = 30, 2 << 30
INNER = [format(i, "b")[1:] for i in range(1, 1 << DEPTH)]  # histories of moves as "", "0", "1", "00", ...


def player_of(moves):
    return 1 + len(moves) % 2


def block(deal):
    """The tree after a deal, in prefix order. Player 1 knows the deal, player 2 a quarter as much."""
    lines = []

    def write(moves):
        if len(moves) == DEPTH:
            payoff = int(moves, 2) - 60
            number = 1 + int(moves, 2) + 128 * (deal % 1000)
            gain = f"{payoff}.{deal % 1000:03}" if deal % 2 else f"{payoff * 7 + 1}/{deal % 1000 + 1}"
            loss = gain[1:] if gain[0] == "-" else "-" + gain
            lines.append(f't "" {number} "" {{ {gain}, {loss} }}')
            return
        player = player_of(moves)
        seen = deal if player == 1 else deal // 4
        number = seen * len(INNER) + int("1" + moves, 2)
        lines.append(f'p "" {player} {number} "{seen}:{moves}" {{ "pass" "bet" }} 0')
        write(moves + "0")
        write(moves + "1")

    write("")
    return "\n".join(lines) + "\n"


class Large(Cli):
    def test_info(self):
        blocks, size = [], 0
        while size < BYTES:
            blocks.append(block(len(blocks)))
            size += len(blocks[-1])
        deals = len(blocks)
        with open(self.path("large.efg"), "w", encoding="utf-8") as file:
            deck = " ".join(f'"{deal}" 1/{deals}' for deal in range(deals))
            file.write(f'EFG 2 R "large" {{ "A" "B" }} ""\nc "" 1 "deal" {{ {deck} }} 0\n')
            file.writelines(blocks)
        del blocks
        megabytes = os.path.getsize(self.path("large.efg")) / 1e6
        started = time.monotonic()
        info = self.json("info", "large.efg")
        seconds = time.monotonic() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        print(f"[{megabytes:.1f} MB, {info['histories']:,} histories: {seconds:.2f} s, {peak / 2**20:.0f} MiB] ",
              end="", flush=True)  # fmt: skip
        self.assertLess(seconds, SECONDS)
        self.assertLess(peak, PEAK)
        first = sum(player_of(moves) == 1 for moves in INNER)
        expected = {
            "histories": 1 + deals * (2 * len(INNER) + 1),
            "terminal_histories": deals * (len(INNER) + 1),
            "infosets_per_player": [deals * first, (deals + 3) // 4 * (len(INNER) - first)],
            "depth": DEPTH + 1,
            "perfect_recall": True,
            "zero_sum": True,
        }
        self.assertEqual({key: info[key] for key in expected}, expected)


if __name__ == "__main__":
    main()
