// Any game: solved, cut and re-solved with the numbers of the command line; then hands against a solution, and
// what all pages share: the first visit, jobs that outlive their tabs, the token.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byId, cleave, cleaveJson, goto, launch, openPage, openTab, serve, textOf } from "./explorer.mjs";

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

test("Leduc is re-solved by two methods as on the command line", async () => {
  await goto(page, "#/lab?game=leduc");
  await byId(page, "tree-node-0").waitFor();
  await byId(page, "lab-resolve-open").click();
  await byId(page, "resolve-cut").selectOption("round:1");
  await byId(page, "trunk-iterations").fill("50");
  await byId(page, "resolve-iterations").fill("200");
  const methods = ["unsafe", "reach-maxmargin"];
  for (const box of await page.locator("[data-testid^=method-]").all()) {
    const wanted = methods.includes((await box.getAttribute("data-testid")).slice("method-".length));
    if ((await box.isChecked()) !== wanted) await box.click();
  }
  await byId(page, "resolve-run").click();
  await byId(page, "resolve-result").waitFor({ timeout: 120_000 });
  for (const method of methods) {
    const args = ["resolve", "leduc", "--cut", "round:1", "--method", method, "--iterations", "200",
      "--blueprint-iterations", "50"];
    const text = cleave(...args, "--quiet");
    const before = text.match(/^before\s+(\S+)/m)[1];
    const after = text.match(new RegExp(`^${method}\\s+(\\S+)`, "m"))[1];
    assert.equal(await textOf(page, "result-before"), before);
    assert.equal(await textOf(page, `result-${method}`), after);
    const json = cleaveJson(...args);
    assert.ok(Math.abs(json.exploitability - Number(after)) < 1e-5 * json.exploitability);
  }
});

test("Kuhn is solved as on the command line, and its convergence shown", async () => {
  await goto(page, "#/lab?game=kuhn&tab=solve");
  await byId(page, "lab-iterations").fill("500");
  await byId(page, "lab-name").fill("kuhn-run");
  await byId(page, "lab-solve").click();
  await byId(page, "solve-result").waitFor({ timeout: 60_000 });
  const printed = cleave("evaluate", "kuhn", server.path("kuhn-run.csv"));
  assert.equal(await textOf(page, "exploitability"), printed.match(/^exploitability\s+(\S+)/m)[1]);
  assert.equal(await textOf(page, "value"), printed.match(/^value\s+(\S+)/m)[1]);
  const result = await textOf(page, "certificate");
  for (const [, best] of printed.matchAll(/(\S+) chips to player \d against/g)) {
    assert.ok(result.includes(best), `${best} in '${result}'`);
  }
  await goto(page, "#/lab/runs");
  await byId(page, "run-kuhn-run.history.csv").first().click();
  await page.locator(".legend-item", { hasText: "kuhn" }).waitFor();
});

test("a cut is drawn, and a history shows what is played and what it is worth", async () => {
  await goto(page, "#/lab?game=kuhn&cut=depth:2&strategy=kuhn-run.csv");
  await byId(page, "tree-node-0").waitFor();
  assert.match(await textOf(page, "cut-info"), /1 subgame, the largest 54 of 58 histories/);
  assert.ok((await page.locator(".tree-region").count()) > 0);
  // The root is chosen; its value is the strategy's.
  const value = cleaveJson("evaluate", "kuhn", server.path("kuhn-run.csv")).value;
  await page.getByText(`value to player 1 ${value.toPrecision(6)}`).waitFor();
  await byId(page, "tree-node-1").click();
  await page.getByTestId("node-path").getByText("start").waitFor();
});

// Checks or calls where that can be done, so that the hand goes to a showdown.
async function playHand(hints) {
  await byId(page, "play-cards").waitFor();
  if (hints) await byId(page, "play-hints").check();
  const over = byId(page, "play-result");
  const actions = page.locator("[data-testid^=play-action-]");
  for (let turn = 0; turn < 20; ++turn) {
    await over.or(actions.first()).waitFor();
    if (await over.isVisible()) return;
    if (hints) assert.match(await textOf(page, "play-hint-0"), /^\d+\.\d%/);
    const labels = await actions.allInnerTexts();
    const passive = labels.findIndex((text) => /check|call|pass/i.test(text));
    const log = await textOf(page, "play-log");
    await actions.nth(Math.max(passive, 0)).click();
    await page.waitForFunction(
      (was) => document.querySelector("[data-testid=play-log]")?.innerText.trim() !== was,
      log,
    );
  }
  assert.fail("the hand does not end");
}

for (const game of ["kuhn", "leduc", "spot"]) {
  test(`a hand is played to the end: ${game}`, async () => {
    await byId(page, "nav-home").click();
    await byId(page, "nav-play").click();
    await byId(page, `play-game-${game}`).click();
    await byId(page, "play-start").click();
    await playHand(game === "leduc");
    const result = await textOf(page, "play-result");
    assert.match(result, /^(You (win|lose) [\d.]+ chips?|Nobody wins)/);
    assert.equal(await textOf(page, "play-hands"), "1");
    const sign = result.startsWith("You win") ? /^\+/ : result.startsWith("You lose") ? /^-/ : /^0$/;
    assert.match(await textOf(page, "play-total"), sign);
    await byId(page, "play-next").click();
    await page.getByText("Hand 2").waitFor();
  });
}

test("nothing went wrong on the way", () => assert.deepEqual(page.problems, []));

test("the tour has three steps and can be left", async () => {
  const fresh = await openPage(browser, server, { tour: true });
  await byId(fresh, "tour").waitFor();
  for (const step of [1, 2, 3]) {
    await fresh.getByText(`${step} of 3`).waitFor();
    await byId(fresh, "tour-next").click();
  }
  await byId(fresh, "tour").waitFor({ state: "detached" });
  await fresh.reload();
  await byId(fresh, "home-board").waitFor();
  assert.equal(await byId(fresh, "tour").count(), 0);
  assert.deepEqual(fresh.problems, []);
  await fresh.context().close();
});

// What a visitor does first: the names that are offered must be ones that can be written.
test("the example leads to a solution of one's own", async () => {
  const page = await openPage(browser, server);
  await byId(page, "home-browse").click();
  await byId(page, "ev-oop").waitFor();
  assert.equal(await byId(page, "delete").count(), 0);
  await byId(page, "edit-spot").click();
  await byId(page, "spot-counts").waitFor();
  assert.equal(await byId(page, "spot-name").inputValue(), "example-2");
  await page.goBack();
  await byId(page, "save-as").click();
  await byId(page, "solution-name-yes").click();
  await page.getByText("Saved as example-copy.h5").waitFor();
  await byId(page, "lock-open").click();
  await byId(page, "lock-always-0").click();
  await page.waitForFunction(() => document.querySelector("[data-testid=lock-name]")?.value === "example-locked");
  await byId(page, "lock-save").click();
  await byId(page, "browse").click({ timeout: 120_000 });
  await page.waitForFunction(() => document.querySelector("[data-testid=frequency-0]")?.textContent === "100.0%");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a solve goes on without its tab, is found again and stopped", async () => {
  const first = await openPage(browser, server);
  await goto(first, "#/spot?template=turn");
  await byId(first, "spot-counts").waitFor();
  await byId(first, "spot-name").fill("long");
  await byId(first, "spot-target").selectOption("0.1%");
  await first.getByText("More", { exact: true }).click();
  await byId(first, "spot-own-target").fill("0.000001%");
  await byId(first, "spot-solve").click();
  await byId(first, "job-cancel").waitFor();
  const at = new URL(first.url()).hash;
  await first.context().close();

  // One browser has six connections to a server: more tabs than that follow the same job.
  const context = await browser.newContext();
  await context.addInitScript(() => localStorage.setItem("cleave-tour", "seen"));
  const tabs = [];
  for (let number = 0; number < 8; ++number) {
    const tab = await openTab(context, server);
    await byId(tab, "home-board").waitFor();
    await goto(tab, at);
    await byId(tab, "job-cancel").waitFor();
    tabs.push(tab);
  }
  const last = tabs.at(-1);
  const goesOn = async () => {
    const before = await textOf(last, "job-text");
    await last.waitForFunction((was) => document.querySelector("[data-testid=job-text]").textContent !== was, before);
    assert.match(await textOf(last, "job-text"), /^[\d,]+ iterations, \S+% of the pot$/);
  };
  await goesOn();
  // The tab that listens for all may be closed.
  await tabs[0].close();
  await goesOn();
  await byId(last, "job-cancel").click();
  for (const tab of tabs.slice(1)) await byId(tab, "browse").waitFor();
  await byId(last, "browse").click();
  await byId(last, "ev-oop").waitFor();
  assert.match(last.url(), /file=long\.h5/);
  for (const tab of tabs.slice(1)) assert.deepEqual(tab.problems, []);
  await context.close();
});

test("without the token the page says what to do", async () => {
  const stranger = await browser.newPage();
  await stranger.goto(new URL("/", server.address).href);
  await byId(stranger, "token-page").waitFor();
  await stranger.close();
});

test("what is not there is said once", async () => {
  const page = await openPage(browser, server);
  await goto(page, "#/solution?file=none.h5");
  await page.getByRole("alert").first().waitFor();
  assert.equal(await page.getByRole("alert").count(), 1);
  assert.match(await page.getByRole("alert").innerText(), /none\.h5: there is no such file/);
  await page.context().close();
});
