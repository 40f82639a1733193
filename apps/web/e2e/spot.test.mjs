// A spot from scratch: set up, solve, browse to the river, lock, solve again, save, reload, find it; every
// number on the screen is the one that `cleave show` prints.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byId, cleave, cleaveJson, goto, launch, openPage, serve, textOf } from "./explorer.mjs";

let server, browser, page;
before(async () => {
  server = await serve();
  browser = await launch();
  page = await openPage(browser, server);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// The tables of `cleave show`: rows of words, by their first.
function shownRows(...args) {
  const rows = {};
  for (const line of cleave("show", ...args).split("\n")) {
    const words = line.trim().replace("(to act)", "").split(/\s{2,}|(?<=%)\s+|(?<=\d)\s+(?=[\d-])/);
    if (words.length > 1) rows[words[0].trim()] ??= words.slice(1).map((word) => word.trim());
  }
  return rows;
}

async function expectSidesOf(file, line) {
  await page.waitForFunction(
    (wanted) => document.querySelector("[data-testid=line]")?.textContent === wanted,
    line || "the first decision",
  );
  const rows = shownRows(server.path(file), "--node", line);
  const columns = ["combos", "equity", "ev", "ev-percent", "realised", "best-response"];
  for (const side of ["OOP", "IP"]) {
    const seen = [];
    for (const column of columns) seen.push(await textOf(page, `${column}-${side.toLowerCase()}`));
    assert.deepEqual(seen, rows[side], `${side} at '${line}'`);
  }
}

// Every hand of a cell: each column as it is printed.
async function expectHandsOf(file, line, cell) {
  await byId(page, `grid-cell-${cell}`).click();
  const printed = shownRows(server.path(file), "--node", line, "--hand", cell);
  const hands = Object.keys(printed).filter((name) => /^([2-9TJQKA][cdhs]){2}$/.test(name));
  assert.ok(hands.length > 0, `${cell} at '${line}'`);
  for (const hand of hands) {
    const cells = byId(page, `hand-${hand}`).first().locator("[data-col]");
    await cells.first().waitFor();
    assert.deepEqual((await cells.allInnerTexts()).map((text) => text.trim()), printed[hand], `${hand} at '${line}'`);
  }
}

// The grid says of a cell what its hands do and are worth, in the mean by how much of each gets here.
async function expectGridOf(file, line) {
  const { player, players } = cleaveJson("show", server.path(file), "--node", line);
  const cells = new Map();
  for (const hand of players.find((side) => side.name === player).hands) {
    const name = kindOf(hand.hand);
    const cell = cells.get(name) ?? { reach: 0, ev: 0, strategy: {} };
    cells.set(name, cell);
    cell.reach += hand.reach;
    cell.ev += hand.reach * hand.ev;
    for (const [action, share] of Object.entries(hand.strategy)) {
      cell.strategy[action] = (cell.strategy[action] ?? 0) + hand.reach * share;
    }
  }
  const near = (seen, exact, digits, what) =>
    assert.ok(Math.abs(seen - exact) <= 0.5 * 10 ** -digits + 1e-9, `${what}: ${seen} for ${exact}`);
  const labels = async () => {
    const grid = page.locator("[data-testid^=grid-cell-]");
    return new Map((await grid.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).map((label) =>
      label.split(": ")));
  };
  const mixes = await labels();
  await byId(page, "view-ev").click();
  const values = await labels();
  await byId(page, "view-strategy").click();
  let seen = 0;
  for (const [name, cell] of cells) {
    if (cell.reach === 0) continue;
    ++seen;
    for (const [action, share] of Object.entries(cell.strategy)) {
      const shown = mixes.get(name).match(new RegExp(`(?:^|, )${action} ([\\d.]+)%`));
      near(Number(shown?.[1] ?? 0), (100 * share) / cell.reach, 1, `${name} ${action}`);
    }
    near(Number(values.get(name)), cell.ev / cell.reach, 2, `EV of ${name}`);
  }
  assert.ok(seen > 10);
}

// "AhKd" is of AKo.
function kindOf(hand) {
  const ranks = "AKQJT98765432";
  const [high, low] = [hand[0], hand[2]].sort((a, b) => ranks.indexOf(a) - ranks.indexOf(b));
  return high + low + (high === low ? "" : hand[1] === hand[3] ? "s" : "o");
}

async function expectRunoutsOf(file, line) {
  const printed = shownRows(server.path(file), "--node", line);
  const cards = Object.keys(printed).filter((name) => /^[2-9TJQKA][cdhs]$/.test(name));
  assert.equal(cards.length, 48);
  for (const card of cards) {
    const cells = await byId(page, `runout-${card}`).locator("[data-col]").allInnerTexts();
    assert.deepEqual(cells.map((text) => text.trim()), printed[card], card);
  }
}

async function solveAndBrowse(button) {
  await byId(page, button).click();
  await byId(page, "browse").click({ timeout: 120_000 });
  await byId(page, "ev-oop").waitFor();
}

test("a spot is set up from scratch and solved", async () => {
  await byId(page, "nav-spot").click();
  await byId(page, "board-text").fill("Td9d6hQc");
  await byId(page, "text-range-oop").fill("99+,A9s+,KQs,QJs,JTs,87s:0.5");
  await byId(page, "text-range-ip").fill("JJ-66,ATs+,KTs+,QTs+,J9s+,76s");
  // Painted, the text follows; written, the grid does.
  await byId(page, "range-ip-54s").click();
  await page.waitForFunction(() => document.querySelector("[data-testid=text-range-ip]").value.includes("54s"));
  assert.match(await byId(page, "range-oop-87s").getAttribute("aria-label"), /87s 50%/);
  for (const [id, value] of [["pot", "200"], ["stack", "900"]]) {
    await byId(page, id).fill(value);
    await byId(page, id).blur();
  }
  // The same sizes for both players: one set of fields.
  for (const street of ["turn", "river"]) {
    await byId(page, `size-${street}-oop-bet`).fill("50%,a");
    await byId(page, `size-${street}-oop-raise`).first().fill("a");
  }
  await byId(page, "spot-name").fill("first");
  await byId(page, "spot-target").selectOption("0.5%");
  await solveAndBrowse("spot-solve");
  assert.match(page.url(), /solution\?file=first\.h5/);
});

test("it is browsed down to the river, with the digits of the command line", async () => {
  await expectSidesOf("first.h5", "");
  await expectHandsOf("first.h5", "", "KQs");
  await expectGridOf("first.h5", "");
  // "x check  85.0%  63.7 combos" in the order of the actions.
  const legend = [...cleave("show", server.path("first.h5")).matchAll(/^\S (.*?) +(\S+%) +(\S+ combos)$/gm)];
  assert.ok(legend.length >= 2);
  for (const [a, [, action, frequency, combos]] of legend.entries()) {
    assert.ok((await textOf(page, `action-${a}`)).startsWith(action));
    assert.equal(await textOf(page, `frequency-${a}`), frequency);
    assert.equal(await textOf(page, `action-combos-${a}`), combos);
  }
  await byId(page, "action-0").click();
  await expectSidesOf("first.h5", "check");
  await expectHandsOf("first.h5", "check", "76s");
  await byId(page, "action-0").click();
  await expectSidesOf("first.h5", "check/check");
  await expectRunoutsOf("first.h5", "check/check");
  await byId(page, "deal-2c").first().click();
  await expectSidesOf("first.h5", "check/check/2c");
  await page.keyboard.press("2");
  await page.waitForFunction(() => document.querySelector("[data-testid=line]")?.textContent.split("/").length === 4);
  const line = await textOf(page, "line");
  await expectSidesOf("first.h5", line);
  await expectHandsOf("first.h5", line, "JJ");
});

test("a node is locked, solved again, and kept to", async () => {
  const bet = await textOf(page, "line");
  await page.keyboard.press("Backspace");
  await page.waitForFunction((was) => document.querySelector("[data-testid=line]")?.textContent !== was, bet);
  await byId(page, "lock-open").click();
  await byId(page, "lock-scope-all").click();
  await byId(page, "lock-always-1").click();
  await byId(page, "lock-name").fill("second");
  await solveAndBrowse("lock-save");
  await goto(page, "#/solution?" + new URLSearchParams({ file: "second.h5", node: "check/check/2c" }));
  await expectSidesOf("second.h5", "check/check/2c");
  assert.equal(await textOf(page, "frequency-1"), "100.0%");
  await page.getByText(/locked/i).first().waitFor();
});

test("it is saved, and found again after a reload", async () => {
  await byId(page, "save-as").click();
  await byId(page, "solution-name").fill("kept/river bet");
  await byId(page, "solution-name-yes").click();
  await page.getByText("Saved as kept/river bet.h5").waitFor();
  await page.reload();
  await byId(page, "ev-oop").waitFor();
  await byId(page, "nav-files").click();
  for (const file of ["first.h5", "second.h5", "kept/river bet.h5"]) await byId(page, `file-${file}`).first().waitFor();
  // Another tab, with the address that was printed.
  const other = await openPage(browser, server);
  await byId(other, "nav-files").click();
  await byId(other, "file-kept/river bet.h5").first().waitFor();
  await other.context().close();
});

test("two solutions side by side", async () => {
  await goto(page, "#/compare?" + new URLSearchParams({ a: "first.h5", an: "", b: "second.h5", bn: "" }));
  await byId(page, "compare-ev-oop").waitFor();
  const first = shownRows(server.path("first.h5"));
  const second = shownRows(server.path("second.h5"));
  const row = await textOf(page, "compare-ev-oop");
  for (const rows of [first, second]) assert.ok(row.includes(rows.OOP[2]), `${rows.OOP[2]} in '${row}'`);
});

test("nothing went wrong on the way", () => assert.deepEqual(page.problems, []));
