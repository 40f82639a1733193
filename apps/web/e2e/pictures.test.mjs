// Every main view in both themes and on a phone: nothing is wider than the screen, nothing is cut off. With
// SCREENSHOTS=1 the pictures of docs/pictures/explorer are taken again.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { byId, cleave, goto, launch, openPage, pictures, serve } from "./explorer.mjs";

const SPOT = `board = "Td9d6hQc"
pot = 200
stack = 900
[range]
oop = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
ip = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
[sizes]
bet = "33%,75%,a"
raise = "50%,a"
`;

let server, browser;
before(async () => {
  server = await serve();
  writeFileSync(server.path("turn.toml"), SPOT);
  cleave("solve", server.path("turn.toml"), "--target", "0.5%", "--out", server.path("turn.h5"), "--quiet");
  writeFileSync(server.path("locked.toml"), SPOT + '[[lock]]\nnode = "check"\nstrategy = "check"\n');
  cleave("solve", server.path("locked.toml"), "--target", "0.5%", "--out", server.path("locked.h5"), "--quiet");
  for (const algorithm of ["cfr", "cfr+", "dcfr"]) {
    cleave("solve", "leduc", "--algorithm", algorithm, "--iterations", "2000", "--quiet", "--out",
      server.path(`leduc-${algorithm}.csv`));
  }
  const jobs = [
    ["game/resolve", { game: "leduc", name: "pieces", cut: "round:1", methods: ["unsafe", "resolve", "maxmargin",
      "reach-maxmargin"], blueprint_iterations: 50, iterations: 200 }],
    ["spot/solve", { text: SPOT, name: "again", target: "1%" }],
  ];
  for (const [path, body] of jobs) await runJob(path, body);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// Straight to the server, as the page does it.
async function runJob(path, body) {
  const address = new URL(server.address);
  const headers = { "X-Cleave-Token": address.searchParams.get("token"), "Content-Type": "application/json" };
  const ask = async (where, options) => (await fetch(new URL(`/api/${where}`, address), { headers, ...options })).json();
  let job = await ask(path, { method: "POST", body: JSON.stringify(body) });
  while (job.state === "queued" || job.state === "running") {
    await new Promise((resolve) => setTimeout(resolve, 100));
    job = await ask(`job?id=${job.id}`);
  }
  assert.equal(job.state, "done", job.error);
}

const line = (text) => encodeURIComponent(text);
const VIEWS = [
  { name: "home", hash: "#/", ready: "home-board" },
  { name: "spot", hash: "#/spot?template=flop", ready: "spot-counts" },
  { name: "solution", hash: `#/solution?file=turn.h5&node=check`, ready: "ev-oop", act: ["grid-cell-KQs"] },
  { name: "lock", hash: `#/solution?file=turn.h5&node=check`, ready: "ev-oop", act: ["lock-open", "lock-scope-all"] },
  { name: "runouts", hash: `#/solution?file=turn.h5&node=${line("check/check")}`, ready: "runout-As" },
  { name: "compare", hash: "#/compare?a=turn.h5&an=&b=locked.h5&bn=", ready: "compare-ev-oop" },
  { name: "games", hash: "#/lab?game=leduc&cut=round:1&strategy=leduc-cfr%2B.csv", ready: "tree-node-0", act: ["tree-node-1"] },
  { name: "resolve", hash: "#/job?id=1", ready: "resolve-result" },
  { name: "solved", hash: "#/job?id=2", ready: "browse" },
  { name: "runs", hash: "#/lab/runs", ready: "run-leduc-cfr.history.csv",
    act: ["run-leduc-cfr.history.csv", "run-leduc-cfr+.history.csv", "run-leduc-dcfr.history.csv"] },
  { name: "play", hash: "#/play", ready: "play-start", act: ["play-game-leduc", "play-start", "play-hints"] },
  { name: "files", hash: "#/files", ready: "file-turn.h5" },
];
const SCREENS = [
  { name: "light", options: { colorScheme: "light" } },
  { name: "dark", options: { colorScheme: "dark" } },
  { name: "phone", options: { colorScheme: "light", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } },
];

// What is meant to be moved inside its frame: trees, long lines of play, and on phones tables of many columns.
const MOVED = ".tree-scroll, .path-bar, textarea";
const MOVED_ON_PHONES = `${MOVED}, .hands-scroll`;

// Whether all answers have come and are drawn.
async function settled(page) {
  while (page.asked.size > 0) await page.waitForTimeout(20);
  await page.waitForFunction(() => !document.querySelector(".spinner"));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

// Boxes in which something stands that they do not show.
const cutOff = (page, moved) =>
  page.evaluate(
    (moved) =>
      [...document.querySelectorAll("body *")]
        .filter((box) => box.clientWidth > 1 && !box.closest(moved) && getComputedStyle(box).overflowX !== "visible")
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => `${box.tagName}.${box.className}: ${box.scrollWidth - box.clientWidth} pixels`),
    moved,
  );

for (const screen of SCREENS) {
  test(`views fit the screen: ${screen.name}`, async () => {
    const page = await openPage(browser, server, screen.options);
    for (const view of VIEWS) {
      await goto(page, view.hash);
      await byId(page, view.ready).first().waitFor();
      for (const id of view.act ?? []) await byId(page, id).first().click();
      await page.mouse.move(0, 0); // no cell is pointed at
      await settled(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${view.name} is ${wide} pixels too wide`);
      assert.deepEqual(await cutOff(page, screen.options.isMobile ? MOVED_ON_PHONES : MOVED), [], view.name);
      if (process.env.SCREENSHOTS) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: `${pictures}${view.name}-${screen.name}.png` });
      }
    }
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
}
