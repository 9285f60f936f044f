import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { launchChromium } from './chromium';
import { pick } from './choose';
import { startServer, type Server, type Version } from './codeServer';
import { Profile, themes, type Keybinding, type Settings, type Theme } from './profile';
import { root } from './root';
import { searchTraces, Traces } from './traces';
import { patiently, until } from './until';

export interface WorkbenchOptions {
  version: Version;
  /** The folder to open; a new, empty one by default. */
  workspace?: string;
  /** The user's settings, on top of those of a quiet editor. */
  settings?: Settings;
  /** The user's own keyboard shortcuts. */
  keybindings?: readonly Keybinding[];
  /** The extension's folder; this project's by default. */
  extension?: string;
  /** Folders of other installed extensions. */
  beside?: readonly string[];
  /** A test module that VS Code runs in its extension host. Without it, the extension is installed like a user's. */
  tests?: string;
  env?: NodeJS.ProcessEnv;
  /** The settings of the machine that the window is connected to. */
  machineSettings?: Settings;
  size?: { width: number; height: number };
  /** The language of extensions; here, the editor itself has only English. */
  language?: string;
}

/** Opens VS Code in a headless browser with the extension; resolves once a user could start working. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const profile = await Profile.create(options.settings);
  if (options.keybindings) await profile.bind(options.keybindings);
  if (options.machineSettings) await profile.setForMachine(options.machineSettings);
  const extension = options.extension ?? root;
  const workspace = options.workspace ?? (await profile.folderFor('project'));
  const testing = options.tests !== undefined;
  for (const folder of [...(testing ? [] : [extension]), ...(options.beside ?? [])]) await profile.install(folder);
  const { version, env } = options;
  const { userData, extensions } = profile;
  const [server, browser] = await Promise.all([
    startServer({ version, userData, extensions, testing, env }),
    launchChromium(),
  ]);
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // Two slow processors may run an editor, a browser, and a build at the same time.
  context.setDefaultTimeout(60_000);
  await context.addInitScript(standStill);
  const traces = await Traces.of(context);
  const page = await context.newPage();
  const workbench = new Workbench(page, workspace, profile, server, browser, traces);
  try {
    if (options.language !== undefined) await workbench.speak(options.language);
    if (options.tests !== undefined) await workbench.runTests(extension, options.tests);
    else await workbench.open();
    return workbench;
  } catch (error) {
    await workbench.close();
    throw error;
  }
}

/**
 * Runs in the page before anything else: spinners and progress bars don’t turn. Without a graphics processor, drawing
 * one takes half of a processor.
 */
function standStill(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '.codicon-modifier-spin, .codicon-loading, .codicon-tree-item-loading, .progress-bit { animation: none !important }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Runs in the page before anything else: sets the language as a language pack would. */
function speak(language: string): void {
  Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set: () => {}, configurable: true });
}

/** False for a file that names several folders. */
function isFolder(workspace: string): boolean {
  return !workspace.endsWith('.code-workspace');
}

/** The URL that opens the folder, or the `.code-workspace` file, on this server in a browser. */
export function addressOf(
  server: Server,
  workspace: string,
  payload: readonly (readonly [string, string])[] = [],
): string {
  const address = new URL(`http://127.0.0.1:${server.port}/`);
  address.searchParams.set('tkn', server.token);
  address.searchParams.set(isFolder(workspace) ? 'folder' : 'workspace', pathToFileURL(workspace).pathname);
  if (payload.length > 0) address.searchParams.set('payload', JSON.stringify(payload));
  return address.href;
}

/** How long a user takes at least to read a question, ms. */
const readMs = 600;

/** The editor's window, in the terms of a user who looks at it. */
export class Workbench {
  /** Resolves with the exit code once VS Code's tests have ended. */
  ended: Promise<number> = new Promise(() => {});

  /** Called with the exit code. */
  private exited: ((code: number) => void) | undefined;

  constructor(
    readonly page: Page,
    readonly workspace: string,
    readonly profile: Profile,
    private readonly server: Server,
    private readonly browser: Browser,
    private readonly traces: Traces,
  ) {}

  /** Sets the language of extensions for windows opened from now on. */
  async speak(language: string): Promise<void> {
    await this.page.context().addInitScript(speak, language);
  }

  /** Opens the window as if for the first time; state on disk stays. */
  async open(): Promise<void> {
    await this.page.goto(addressOf(this.server, this.workspace), { waitUntil: 'commit' });
    await this.knowsExtension();
  }

  /** Until then, the palette has none of its commands. */
  private async knowsExtension(): Promise<void> {
    const icon = this.page.locator('body:not([data-old]) .activitybar [aria-label^="Model Catalog"]');
    await icon.first().waitFor({ timeout: 120_000 });
  }

  /** Opens or reopens the window to run a test module; `ended` resolves when the tests end. */
  async runTests(extension: string, tests: string): Promise<void> {
    const remote = (file: string) => `vscode-remote://127.0.0.1:${this.server.port}${pathToFileURL(file).pathname}`;
    if (!this.exited) await this.page.exposeFunction('codeAutomationExit', (code: number) => this.exited?.(code));
    this.ended = new Promise((resolve) => (this.exited = resolve));
    const payload = [
      ['extensionDevelopmentPath', remote(extension)],
      ['extensionTestsPath', remote(tests)],
      ['skipWelcome', 'true'],
    ] as const;
    await this.page.goto(addressOf(this.server, this.workspace, payload), { waitUntil: 'commit' });
  }

  /** Kills the extension host in the middle of whatever it's doing. */
  killExtensionHost(): void {
    const host = this.server.extensionHost();
    if (host === undefined) throw new Error('VS Code told of no extension host.');
    process.kill(host, 'SIGKILL');
  }

  /** Reloads the window, as a user does; resolves once the old one is gone. */
  async reload(): Promise<void> {
    await this.page.evaluate(() => document.body.setAttribute('data-old', ''));
    await this.command('Developer: Reload Window');
    await this.knowsExtension();
  }

  /** Runs a command by its title in the Command Palette, as in "View: Close All Editors". */
  async command(title: string): Promise<void> {
    const entry = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
    await patiently(
      async (timeout) => {
        await this.page.keyboard.press('F1');
        await this.quickInput.fill(`>${title}`, { timeout });
        await entry.waitFor({ timeout });
      },
      // If no palette opened, Escape would cancel the selection in the editor.
      () => this.quickInput.press('Escape', { timeout: 1000 }).catch(() => {}),
      `The palette has no command "${title}".`,
    );
    await this.pick(title);
  }

  /** The text box of the open quick pick or input box. */
  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** Accepts a list of prices. It ignores a key that comes immediately, which was meant for what was there before. */
  async acceptList(): Promise<void> {
    await this.page.waitForTimeout(800);
    await this.page.keyboard.press('Enter');
  }

  /** Chooses the first matching row of the open quick pick; resolves once the box shows something else. */
  async pick(label: string | RegExp): Promise<void> {
    await pick(this.page, label);
  }

  /** The document of the webview in the tab with this title, which is also the document's own. */
  async webviewFrame(title: string): Promise<Frame> {
    // The tab of a form has its model's name, and the document the last segment of the model's ID.
    const name = new RegExp(title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll('-', '[- ]'), 'i');
    await this.page.getByRole('tab', { name }).first().click();
    return this.openWebview(title);
  }

  /**
   * The document of the webview with this title that is or becomes visible. Clicks nothing, so the focus stays where it
   * is.
   */
  async openWebview(title: string | RegExp): Promise<Frame> {
    const isIt = (found: string) => (typeof title === 'string' ? found === title : title.test(found));
    let found: Frame | undefined;
    const isThere = async () => {
      const frames = this.page.frames();
      const titles = await Promise.all(frames.map(titleOf));
      found = frames[titles.findIndex(isIt)];
      return found !== undefined;
    };
    await until(isThere).catch((cause: unknown) => {
      throw new Error(`"${String(title)}" shows no webview.`, { cause });
    });
    return found!;
  }

  /** The notification with this text, as a toast or in the notification center. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notification-list-item').filter({ hasText: text });
  }

  /** Says yes to a modal question, once a user can have read it: before that, it would be asked again. */
  async confirm(button: string | RegExp): Promise<void> {
    const found = this.page.locator('.monaco-dialog-box').getByRole('button', { name: button });
    await found.waitFor();
    await this.page.waitForTimeout(readMs);
    await found.click();
    // A list that opens under the pointer would select the row there.
    await this.page.mouse.move(0, 0);
  }

  /** The Status Bar entry with this ID in the extension. */
  statusBarItem(id: string): Locator {
    return this.page.locator(`.statusbar-item[id$=".${id}"]`);
  }

  /** The tree of the view with this title. */
  tree(viewTitle: string): Locator {
    return this.page.getByRole('tree', { name: viewTitle });
  }

  /** Changes the color theme as a user does; resolves once the window shows it. */
  async setTheme(theme: Theme): Promise<void> {
    const { label, shown } = themes[theme];
    await this.command('Preferences: Color Theme');
    await this.page.getByPlaceholder('Color Theme').fill(label);
    await this.pick(label);
    await this.page.locator(`.monaco-workbench.${shown}`).waitFor();
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }

  /** Rejects if the tests' key is anywhere in what the window leaves behind. */
  async close(): Promise<void> {
    await this.traces.write(this.page, await this.profile.folderFor('traces'));
    await this.browser.close();
    await this.server.stop();
    try {
      searchTraces(isFolder(this.workspace) ? this.workspace : dirname(this.workspace));
    } finally {
      await this.profile.dispose();
    }
  }
}

/** A frame that is being added or removed has no title: it throws, or never responds. */
async function titleOf(frame: Frame): Promise<string> {
  const silent = frame
    .page()
    .waitForTimeout(2000)
    .then(() => '');
  return Promise.race([frame.title(), silent]).catch(() => '');
}
