import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sparticuz from "@sparticuz/chromium";
import axe from "axe-core";
import type { Browser, CDPSession, Page } from "playwright-core";
import { chromium } from "playwright-core";
import type { TestWallet } from "./wallet.ts";
import { announceWallet } from "./wallet.ts";

/**
 * Starts a Chromium without a window. It comes with an npm package, so that no browser has to be
 * installed.
 */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    // Tests may run as root, where Chromium's sandbox does not work. Every page in it is the
    // service's.
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu"],
  });
}

const ACTION_MS = 90_000;

export interface OpenPage {
  readonly page: Page;
  /** What the browser reported: errors in scripts, and requests that the policy blocked. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/**
 * Opens `url` in a fresh profile with the given wallets. Each wallet announces itself before the
 * page's scripts run.
 */
export async function openPage(
  browser: Browser,
  url: string,
  wallets: readonly TestWallet[] = [],
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: DESKTOP.width, height: 900 },
    acceptDownloads: true,
  });
  // A busy machine may keep Chromium from drawing for long, and a click waits for two frames.
  context.setDefaultTimeout(ACTION_MS);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A refused request is part of the test, and shown to the person.
    const text = message.text();
    if (message.type() === "error" && !text.startsWith("Failed to load resource"))
      complaints.push(text);
  });
  for (const wallet of wallets) await announceWallet(page, wallet);
  await page.goto(url);
  return { page, complaints, close: () => context.close() };
}

/** The one button with this label. */
export function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

/** How a state is checked: each width and each color scheme once. */
const VIEWS = [
  { device: "desktop", width: 1280, colorScheme: "light" },
  { device: "phone", width: 390, colorScheme: "dark" },
] as const;
const [DESKTOP, PHONE] = VIEWS;
/** Where only overflow is looked for: what axe finds does not depend on them. */
const FURTHER_VIEWS = [
  { device: "tablet", width: 768, fontSize: 16 },
  { device: "large-text", width: DESKTOP.width, fontSize: 32 },
] as const;

/** The folder for screenshots; without it none are taken. */
const { SVC_SCREENSHOTS } = process.env;

/**
 * Checks what every page must fulfil in every state. Nothing overflows at the width of a desk, a
 * tablet or a phone, or with text of twice the size. On desk and phone, in light and dark, axe
 * finds nothing serious. The Tab key reaches everything that can be used, and shows where it is. Tablet,
 * large text and keyboard are looked at in the first state of each page; in all of them when
 * `SVC_SCREENSHOTS` names a folder, for screenshots named after the states.
 *
 * @returns the problems, one line each; empty without problems.
 */
export async function inspect(page: Page, state: string): Promise<string[]> {
  const wrong: string[] = [];
  const isFirst = isFirstState(page);
  for (const { device, width, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const where = `${state}-${device}`;
    wrong.push(...(await overflowing(page, where)), ...(await violations(page, where)));
    if (device === DESKTOP.device && isFirst) wrong.push(...(await keyboardProblems(page, where)));
    await picture(page, where);
  }
  if (!isFirst) {
    await page.emulateMedia({ colorScheme: DESKTOP.colorScheme });
    await page.setViewportSize({ width: DESKTOP.width, height: 900 });
    return wrong;
  }
  await page.emulateMedia({ colorScheme: DESKTOP.colorScheme });
  // As the browser's own setting, which lengths in rem and media queries follow.
  const session = await page.context().newCDPSession(page);
  for (const { device, width, fontSize } of FURTHER_VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await session.send("Page.setFontSizes", { fontSizes: { standard: fontSize, fixed: fontSize } });
    const where = `${state}-${device}`;
    wrong.push(...(await overflowing(page, where)));
    await plainPicture(page, session, where);
  }
  await session.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
  await session.detach();
  await page.setViewportSize({ width: DESKTOP.width, height: 900 });
  return wrong;
}

const pagesSeen = new Set<string>();

/** Whether no state of this page was checked before, whichever agent it is about. */
function isFirstState(page: Page): boolean {
  const { pathname } = new URL(page.url());
  const pattern = pathname.replaceAll(/\/[^/]*\d[^/]*/g, "/*");
  const isFirst = !pagesSeen.has(pattern) || (SVC_SCREENSHOTS ?? "") !== "";
  pagesSeen.add(pattern);
  return isFirst;
}

/** Checks only for overflow, at a phone's width: for pages so long that axe takes its time. */
export async function inspectWidth(page: Page, state: string): Promise<string[]> {
  await page.setViewportSize({ width: PHONE.width, height: 900 });
  const wrong = await overflowing(page, `${state}-${PHONE.device}`);
  await page.setViewportSize({ width: DESKTOP.width, height: 900 });
  return wrong;
}

/** The elements that overflow the window, when they make the page wider than it. */
async function overflowing(page: Page, where: string): Promise<string[]> {
  const { scroll, client, culprits } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement as Element;
    const outside =
      scrollWidth <= clientWidth
        ? []
        : [...document.body.querySelectorAll("*")].filter(
            (one) => one.getBoundingClientRect().right > clientWidth + 0.5,
          );
    const culprits = outside
      .filter((one) => !outside.some((other) => other !== one && one.contains(other)))
      .map(({ outerHTML }) => outerHTML.slice(0, 200));
    return { scroll: scrollWidth, client: clientWidth, culprits };
  });
  if (scroll <= client) return [];
  return [`${where}: ${scroll} pixels wide in ${client}, by ${culprits.join(" and ")}`];
}

/** The most elements of one page that are visited with the Tab key. */
const MOST_STOPS = 60;

/** What the Tab key does not reach, and what does not show that it has the focus. */
async function keyboardProblems(page: Page, where: string): Promise<string[]> {
  const walk = await page.evaluateHandle((most) => {
    const usable = [
      ...document.querySelectorAll<HTMLElement>(
        "a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary",
      ),
    ].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]"));
    const before = document.activeElement;
    const stops = new Map<EventTarget, boolean>();
    const note = ({ target }: FocusEvent) => {
      if (target === null) return;
      // A card's link covers the card, and its cover shows the focus.
      const styles = [null, "::after"].map((part) => getComputedStyle(target as Element, part));
      const isMarked = styles.some(
        ({ outlineStyle, boxShadow }) => outlineStyle !== "none" || boxShadow !== "none",
      );
      stops.set(target, isMarked);
    };
    document.addEventListener("focusin", note);
    // The walk begins at the top of the page.
    document.body.tabIndex = -1;
    document.body.focus({ preventScroll: true });
    document.body.removeAttribute("tabindex");
    stops.clear();
    // Texts that scroll are stops too, and a field for a date has several.
    const others = document.querySelectorAll("[tabindex='0'], pre").length + 5;
    return { usable: usable.slice(0, most), others, stops, note, before };
  }, MOST_STOPS);
  const presses = await walk.evaluate(({ usable, others }) => usable.length + others);
  for (let press = 0; press < presses; press += 1) await page.keyboard.press("Tab");
  const wrong = await walk.evaluate(({ usable, stops, note, before }) => {
    document.removeEventListener("focusin", note);
    if (before instanceof HTMLElement && before !== document.body) {
      before.focus({ preventScroll: true });
    } else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    scrollTo(0, 0);
    // Of buttons of one choice the keyboard visits one.
    const isVisited = (one: HTMLElement) =>
      one instanceof HTMLInputElement && one.type === "radio"
        ? usable.some(
            (other) =>
              other instanceof HTMLInputElement && other.name === one.name && stops.has(other),
          )
        : stops.has(one);
    const shown = (one: Element) => one.outerHTML.slice(0, 120);
    return [
      ...usable.filter((one) => !isVisited(one)).map((one) => `Tab does not reach ${shown(one)}`),
      ...[...stops]
        .filter(([, isMarked]) => !isMarked)
        .map(([one]) => `the focus does not show on ${shown(one as Element)}`),
    ];
  });
  await walk.dispose();
  return wrong.map((problem) => `${where}: ${problem}`);
}

/** What axe calls serious or critical. */
async function violations(page: Page, where: string): Promise<string[]> {
  // As the debugger's own code, to which the page's policy does not apply. A page keeps it for its further views.
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html }) => html),
    }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${where}: ${id} in ${nodes.join(" and ")}`);
}

/** The whole page without Playwright's own picture of it, which puts the size of text back. */
async function plainPicture(page: Page, session: CDPSession, name: string): Promise<void> {
  if (SVC_SCREENSHOTS === undefined || SVC_SCREENSHOTS === "") return;
  const { width, height } = await page.evaluate(() => ({
    width: innerWidth,
    height: document.documentElement.scrollHeight,
  }));
  await page.setViewportSize({ width, height });
  const { data } = await session.send("Page.captureScreenshot");
  await writeFile(join(SVC_SCREENSHOTS, `${name}.png`), Buffer.from(data, "base64"));
}

async function picture(page: Page, name: string): Promise<void> {
  if (SVC_SCREENSHOTS === undefined || SVC_SCREENSHOTS === "") return;
  await mkdir(SVC_SCREENSHOTS, { recursive: true });
  await page.screenshot({
    path: join(SVC_SCREENSHOTS, `${name}.png`),
    fullPage: true,
    animations: "disabled",
  });
}
