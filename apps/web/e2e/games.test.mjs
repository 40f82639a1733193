// Leduc taken apart by two methods: the page shows the numbers that `cleave resolve` gives. Then a hand of it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byId, cleave, cleaveJson, launch, openPage, serve, textOf } from "./explorer.mjs";

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

const goto = async (hash) => {
  const location = new URL(page.url());
  location.hash = hash;
  await page.goto(location.href);
};

test("Leduc is re-solved by two methods as on the command line", async () => {
  await goto("#/lab?game=leduc");
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
    const job = (await page.evaluate(() => location.hash)).match(/id=(\d+)/);
    assert.ok(job || true);
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

test("a cut is drawn and a history can be looked into", async () => {
  await goto("#/lab?game=kuhn&cut=depth:2");
  await byId(page, "tree-node-0").waitFor();
  await byId(page, "cut-info").first().waitFor();
  await byId(page, "tree-node-1").click();
  await byId(page, "node-panel").waitFor();
});

test("Kuhn is solved, and its convergence shown", async () => {
  await goto("#/lab?game=kuhn&tab=solve");
  await byId(page, "lab-iterations").fill("500");
  await byId(page, "lab-name").fill("kuhn-run");
  await byId(page, "lab-solve").click();
  await byId(page, "solve-result").waitFor({ timeout: 60_000 });
  await goto("#/lab/runs");
  await byId(page, "run-kuhn-run.history.csv").first().waitFor();
});

test("a hand of Leduc is played to the end, with hints", async () => {
  await byId(page, "nav-play").click();
  await byId(page, "play-game-leduc").click();
  await byId(page, "play-start").click();
  await byId(page, "play-cards").waitFor();
  await byId(page, "play-hints").click();
  for (let turn = 0; turn < 12; ++turn) {
    const first = byId(page, "play-action-0");
    await Promise.race([first.waitFor(), byId(page, "play-result").waitFor()]);
    if (await byId(page, "play-result").isVisible()) break;
    await byId(page, "play-hint-0").first().waitFor();
    // Check or call where there is one, so that the hand goes to a showdown.
    const labels = await page.locator("[data-testid^=play-action-]").allInnerTexts();
    const passive = labels.findIndex((text) => /check|call/i.test(text));
    await byId(page, `play-action-${Math.max(passive, 0)}`).click();
    await page.waitForTimeout(50);
  }
  await byId(page, "play-result").waitFor();
  assert.match(await textOf(page, "play-result"), /[-+−]?\d/);
  assert.match(await textOf(page, "play-hands"), /1/);
  await byId(page, "play-next").click();
  await byId(page, "play-cards").waitFor();
});

test("the tour has three steps and can be left", async () => {
  const fresh = await openPage(browser, server, { tour: true });
  await byId(fresh, "tour").waitFor();
  await byId(fresh, "tour-next").click();
  await byId(fresh, "tour-next").click();
  await byId(fresh, "tour-next").click();
  await byId(fresh, "tour").waitFor({ state: "detached" });
  await fresh.reload();
  await byId(fresh, "home-board").waitFor();
  assert.equal(await byId(fresh, "tour").count(), 0);
  assert.deepEqual(fresh.problems, []);
  await fresh.context().close();
});

test("without the token the page says what to do", async () => {
  const stranger = await browser.newPage();
  await stranger.goto(new URL("/", server.address).href);
  await byId(stranger, "token-page").waitFor();
  await stranger.close();
});

test("nothing went wrong on the way", () => assert.deepEqual(page.problems, []));
