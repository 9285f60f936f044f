import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { errors, type Page } from 'playwright-core';
import themesJson from './form/themes.json';
import { root } from './root';

/** The editor's four kinds of color themes, with the values that its own themes give a webview. */
export const themes: Readonly<Record<string, { readonly kind: string; readonly variables: Record<string, string> }>> =
  themesJson;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Runs in the page before anything else: what the editor provides in a webview. Messages go to the page's function
 * `toHost`. Stored state goes to `toState`, if any, and is restored after a reload.
 */
export function beWebview(theme: { readonly kind: string; readonly variables: Record<string, string> }): void {
  const host = window as unknown as Record<string, (value: unknown) => unknown>;
  const setState = (state: unknown) => {
    sessionStorage.setItem('state', JSON.stringify(state));
    host['toState']?.(state);
  };
  const getState = () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown;
  host['acquireVsCodeApi'] = () => ({ postMessage: host['toHost'], setState, getState });
  document.addEventListener('DOMContentLoaded', () => {
    for (const [name, value] of Object.entries(theme.variables))
      document.documentElement.style.setProperty(name, value);
    document.body.className = theme.kind;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('@layer vscode-default { html { scrollbar-color: auto } body { padding: 0 20px; } }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** A built file of a page. */
export function builtPage(file: string): string {
  return readFileSync(join(root, 'dist', 'webview', file), 'utf8');
}

/** A language nobody speaks: every text is half as long again, and contains what few fonts and buttons expect. */
export function inLongWords<Texts extends Readonly<Record<string, string>>>(texts: Texts): Texts {
  const lengthened = Object.entries(texts).map(([key, text]) => [
    key,
    `[${text.replace(/[aeiou](?![^{]*\})/g, '$&$&')} ~ĝŷ]`,
  ]);
  return Object.fromEntries(lengthened) as Texts;
}

/** Changes the page's color theme. */
export async function dress(page: Page, theme: string): Promise<void> {
  await page.evaluate(({ kind, variables }) => {
    const { style } = document.documentElement;
    for (const name of [...style]) style.removeProperty(name);
    for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
    document.body.className = kind;
  }, themes[theme]!);
}

/** Texts that are partly cut off, and the page's width if it's wider than the window. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    const tooWide = scrollWidth > innerWidth ? [`the page is ${scrollWidth} pixels wide`] : [];
    const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      const { left, right, width } = element.getBoundingClientRect();
      const isOnlyHeard = width <= 1;
      // A long path may end in an ellipsis if it's shown in full elsewhere.
      const isTold = element.closest('[title]') !== null;
      if (!own || isOnlyHeard || isTold || !element.checkVisibility()) return false;
      const clips = getComputedStyle(element).overflowX !== 'visible';
      return left < 0 || right > innerWidth || (clips && element.scrollWidth > element.clientWidth + 1);
    });
    return [
      ...tooWide,
      ...cut.map((element) => `<${element.tagName.toLowerCase()} class="${element.className}"> ${element.innerText}`),
    ];
  });
}

/** The violations that axe finds in the page: the rule and where. */
export async function axeViolations(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  const file = createRequire(join(root, 'package.json')).resolve('axe-core/axe.min.js');
  // Evaluated, since the page's policy forbids adding it as a script.
  await page.evaluate(await readFile(file, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

/** Resolves once the condition holds, which is checked with every frame of the page; rejects after five seconds. */
export async function frames(page: Page, isSo: () => boolean): Promise<void> {
  for (let frame = 0; !isSo(); frame += 1) {
    if (frame > 300) throw new errors.TimeoutError('did not come true within 5000 ms');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** A landscape of a few bands, whose colors depend on the path. */
export function imageOf(path: string, [width, height] = [640, 400]): Buffer {
  const hue = Buffer.from(path).reduce((sum, byte) => sum + byte, 0);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const band = Math.floor((y + 40 * Math.sin(x / 70 + y / 90)) / 66);
      for (let channel = 0; channel < 3; channel += 1) {
        data[(y * width + x) * 3 + channel] = 120 + 100 * Math.sin(hue + band * 0.7 + channel * 1.3);
      }
    }
  }
  return Buffer.from(encode({ width, height, data, channels: 3 }));
}
