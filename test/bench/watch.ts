import type { Frame, Page } from 'playwright-core';

/** What the scripts in the page record. */
interface Seen {
  /** When a key was last pressed, and when a list was last repainted since then, ms since 1970; 0 means not yet. */
  pressed: number;
  painted: number;
  /** When this webview's document was first painted with a field in it. */
  usable: number;
  /** When this webview's document was first painted with a loaded image in it. */
  pictured: number;
  /** The longest task of this document until now, ms; 0 for none over 50 ms. */
  heldMs: number;
}

declare global {
  interface Window {
    modelCatalogBench: Seen;
  }
}

/**
 * Makes the page and every webview in it record when keys are pressed and when their effect was painted. Call before
 * the page is reopened.
 */
export async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Seen = { pressed: 0, painted: 0, usable: 0, pictured: 0, heldMs: 0 };
    window.modelCatalogBench = seen;
    const when = (time = performance.now()) => performance.timeOrigin + time;
    // A frame's changes are on the screen by the task after it.
    const afterPaint = (call: () => void) => requestAnimationFrame(() => setTimeout(call));
    const pressed = (event: KeyboardEvent) => {
      seen.pressed = when(event.timeStamp);
      seen.painted = 0;
    };
    addEventListener('keydown', pressed, true);
    const isRow = ({ target }: MutationRecord) =>
      (target instanceof Element ? target : target.parentElement)?.closest('.monaco-list-rows');
    new MutationObserver((records) => {
      if (records.some(isRow)) afterPaint(() => (seen.painted = when()));
    }).observe(document, { subtree: true, childList: true, characterData: true });
    // A webview rewrites its document, which cancels the old one's pending frames but not its timers.
    const noteFirst = (isThere: () => boolean, note: () => void) => {
      const look = setInterval(() => {
        if (!isThere()) return;
        clearInterval(look);
        afterPaint(note);
      }, 1);
    };
    if (window === window.top) return;
    noteFirst(
      () => document.querySelector('textarea:not([disabled]), input:not([disabled])') !== null,
      () => (seen.usable = when()),
    );
    noteFirst(
      () => [...document.images].some(({ complete, naturalWidth }) => complete && naturalWidth > 0),
      () => (seen.pictured = when()),
    );
    new PerformanceObserver((list) => {
      // The window's own tasks run on the same thread, and are told here too.
      const own = list.getEntries().filter(({ name }) => name === 'self');
      for (const { duration } of own) seen.heldMs = Math.max(seen.heldMs, duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** How long nothing may be painted before a list counts as done, ms. */
const rest = 250;

/** How long anything may take before it counts as failed, ms. */
const longest = 30_000;

/**
 * Presses the key and waits for its effect on the lists in the window; resolves with the time from the key to its last
 * paint, ms.
 */
export async function keyToList(page: Page, key: string): Promise<number> {
  await page.keyboard.press(key);
  return lastPainted(page);
}

/** Waits until the lists in the window rest; resolves with the time from the last key to their last paint, ms. */
export async function lastPainted(page: Page): Promise<number> {
  return page.evaluate(async (rest) => {
    const seen = window.modelCatalogBench;
    for (let before = -1; before !== seen.painted || seen.painted === 0;) {
      before = seen.painted;
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
    return seen.painted - seen.pressed;
  }, rest);
}

/**
 * Presses the key and waits for the webview that it opens; resolves with the time from the key to the first painted
 * field, ms.
 */
export async function keyToField(page: Page, key: string): Promise<number> {
  return (await keyToWebview(page, key, 'usable')).took;
}

/** Presses the key and waits for the webview that it opens, and what it first paints of this kind. */
export async function keyToWebview(
  page: Page,
  key: string,
  what: 'usable' | 'pictured',
): Promise<{ readonly frame: Frame; /** Milliseconds. */ readonly took: number }> {
  const before = await page.evaluate(() => window.modelCatalogBench.pressed);
  await page.keyboard.press(key);
  // A key pressed in a webview reaches the window a moment later.
  await page.waitForFunction((before) => window.modelCatalogBench.pressed !== before, before);
  const pressed = await page.evaluate(() => window.modelCatalogBench.pressed);
  const end = Date.now() + longest;
  while (Date.now() < end) {
    for (const frame of page.frames()) {
      // A frame that is being added or removed can't respond.
      const painted = await frame.evaluate((what) => window.modelCatalogBench[what], what).catch(() => 0);
      if (frame !== page.mainFrame() && painted > pressed) return { frame, took: painted - pressed };
    }
    await page.waitForTimeout(50);
  }
  throw new Error(`${key} opened no webview.`);
}

/**
 * Presses the key and waits for its effect; resolves with the time from the key to the first frame with `text` in an
 * element of `selector`, ms.
 */
export async function keyToText(page: Page, key: string, selector: string, text: string): Promise<number> {
  const before = await page.evaluate(() => window.modelCatalogBench.pressed);
  const shown = page.evaluate(
    async ({ selector, text, before, longest }) => {
      const seen = window.modelCatalogBench;
      const isShown = () =>
        [...document.querySelectorAll(selector)].some(
          // Editors render spaces as no-break spaces.
          (element) => element.textContent.replaceAll('\u00a0', ' ').includes(text) && element.checkVisibility(),
        );
      const end = performance.now() + longest;
      while (seen.pressed === before || !isShown()) {
        if (performance.now() > end) throw new Error(`No ${selector} says “${text}”.`);
        await new Promise(requestAnimationFrame);
      }
      return performance.timeOrigin + performance.now() - seen.pressed;
    },
    { selector, text, before, longest },
  );
  await page.keyboard.press(key);
  return shown;
}

/**
 * Waits until no link is marked as in progress; resolves with the time from the last key press to the first frame
 * without a mark, ms.
 */
export async function keyToNoMark(page: Page): Promise<number> {
  return page.evaluate(async (longest) => {
    const isMarked = () =>
      [...document.querySelectorAll('.view-line span')].some((span) =>
        getComputedStyle(span, '::after').content.includes('◌'),
      );
    const end = performance.now() + longest;
    while (isMarked()) {
      if (performance.now() > end) throw new Error('The mark does not go.');
      await new Promise(requestAnimationFrame);
    }
    return performance.timeOrigin + performance.now() - window.modelCatalogBench.pressed;
  }, longest);
}
