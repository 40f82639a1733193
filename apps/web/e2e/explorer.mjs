// The explorer as a person meets it: the real program, a real browser.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const program = process.env.CLEAVE ?? new URL("../../../build/cleave", import.meta.url).pathname;
export const pictures = new URL("../../../docs/pictures/explorer/", import.meta.url).pathname;

export const cleave = (...args) => execFileSync(program, args, { encoding: "utf8" });
export const cleaveJson = (...args) => JSON.parse(cleave(...args, "--json"));

// A server on a folder of its own.
export async function serve() {
  const folder = mkdtempSync(join(tmpdir(), "cleave-e2e-"));
  const child = spawn(program, ["serve", folder, "--port", "0", "--quiet"]);
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", (code) => reject(new Error(`cleave serve ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", () => {
        rmSync(folder, { recursive: true, force: true });
        resolve();
      });
      child.kill("SIGINT");
    });
  return { folder, address, stop, path: (name) => join(folder, name) };
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

// A page that has been here before (no tour), with every error it meets.
export async function openPage(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  if (!options.tour) await context.addInitScript(() => localStorage.setItem("cleave-tour", "seen"));
  return openTab(context, server);
}

export async function openTab(context, server) {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.problems.push(message.text());
  });
  page.asked = new Set(); // and not answered yet
  for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => page.asked.delete(request));
  page.on("request", (request) => {
    page.asked.add(request);
    const host = new URL(request.url());
    if (host.protocol.startsWith("http") && host.hostname !== "127.0.0.1") page.problems.push(request.url());
  });
  await page.goto(server.address);
  return page;
}

// Another view of the same page.
export async function goto(page, hash) {
  const location = new URL(page.url());
  location.hash = hash;
  await page.goto(location.href);
}

export const byId = (page, id) => page.getByTestId(id);
export const textOf = async (page, id) => (await byId(page, id).first().innerText()).trim();
