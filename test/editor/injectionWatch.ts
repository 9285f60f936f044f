import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { oneLine } from '../../src/base/plain';
import { host } from './injections';

/** Where the editor's own window shows the service's texts. */
export const sinks = {
  models: '[role="tree"][aria-label^="Models"] .monaco-list-row',
  generations: '[role="tree"][aria-label^="Generations"] .monaco-list-row',
  tooltip: '.monaco-hover',
  notification: '.notification-list-item-message',
  pick: '.quick-input-list .monaco-list-row',
  box: '.quick-input-message',
  page: '.monaco-editor .view-line',
} as const;

export type Sink = keyof typeof sinks;

/** Where this VS Code looks for extensions. */
const marketplace = 'open-vsx.org';

/** What the script in each document records. */
interface Kept {
  /** The texts that each sink has shown. */
  readonly seen: Readonly<Record<Sink, Set<string>>>;
  /** The effects of injections. */
  readonly made: Set<string>;
  look(root: Document | Element): void;
}

type Watched = typeof globalThis & { injections: Kept; injected(): void };

/** A loopback URL that nothing may request. */
export interface Trap {
  readonly port: number;
  readonly heard: readonly string[];
  close(): Promise<void>;
}

export async function setTrap(): Promise<Trap> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push('a connection');
    socket.on('error', () => {}).destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, heard, close };
}

/** Watches every document of a window for anything that an injection would create, run, or request. */
export class InjectionWatch {
  requests = 0;
  /** Foreign requests, dialogs, and windows. */
  private readonly happened: string[] = [];

  private constructor(private readonly page: Page) {}

  /** Starts with the next document that the page loads. */
  static async begin(page: Page, port: number): Promise<InjectionWatch> {
    const watch = new InjectionWatch(page);
    await page.context().addInitScript(keepWatch, { sinks, marks: `${host}|injected\\.run|injected\\(|:${port}/` });
    const editor = new URL(page.url()).host;
    page.context().on('request', (request) => watch.hear(request.url(), editor));
    page.on('dialog', (dialog) => {
      // The editor's own question about leaving the page.
      if (dialog.type() === 'beforeunload') return void dialog.accept();
      watch.happened.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => void watch.happened.push(`window: ${popup.url()}`));
    return watch;
  }

  /** Everything forbidden: present now, present before, or an event. */
  async findings(): Promise<string[]> {
    const made = await Promise.all(
      this.page.frames().map((frame) =>
        frame
          .evaluate(() => {
            const { injections } = globalThis as Watched;
            injections.look(document);
            const polluted = 'injected' in {} ? ['Object.prototype was written to'] : [];
            return [...injections.made, ...polluted];
          })
          // A closed frame shows nothing.
          .catch(() => []),
      ),
    );
    return [...this.happened, ...new Set(made.flat())];
  }

  /** The texts that the sink hasn't shown, compared by their beginnings after `shown`. */
  async missing(sink: Sink, texts: readonly string[], shown = (text: string) => oneLine(text)): Promise<string[]> {
    const wanted = texts.map((text) => shown(text).slice(0, 20).trim());
    return this.page.evaluate(
      ([name, beginnings]) => {
        const all = [...(globalThis as Watched).injections.seen[name]].join('\n');
        return beginnings.filter((beginning) => !all.includes(beginning));
      },
      [sink, wanted] as const,
    );
  }

  /** Clears the sink. */
  async forget(sink: Sink): Promise<void> {
    await this.page.evaluate((name) => (globalThis as Watched).injections.seen[name].clear(), sink);
  }

  private hear(url: string, editor: string): void {
    this.requests += 1;
    const { protocol, host: asked } = new URL(url);
    const isLocal = protocol === 'data:' || protocol === 'blob:';
    const isOfEditor = asked === editor || asked === marketplace || asked.endsWith('.vscode-resource.vscode-cdn.net');
    if (!isLocal && !isOfEditor) this.happened.push(`request: ${url}`);
  }
}

/** Runs in every document before anything else. */
function keepWatch({ sinks, marks }: { sinks: Record<string, string>; marks: string }): void {
  const names = Object.keys(sinks);
  const seen = Object.fromEntries(names.map((name) => [name, new Set<string>()]));
  const made = new Set<string>();
  const mark = new RegExp(marks, 'i');
  // A file of the project, whose name may contain the text.
  const ofEditor = /^https:\/\/[\w%.+-]+\.vscode-resource\.vscode-cdn\.net\//;
  // The same for the image of a row.
  const images = new RegExp(`url\\("${location.origin}/[^"/]+/vscode-remote-resource\\?[^"]*"\\)`, 'g');
  const addresses = [
    ...['href', 'xlink:href', 'data-href', 'src', 'srcset', 'srcdoc', 'action', 'formaction', 'data', 'poster'],
    ...['background', 'ping', 'style', 'content'],
  ];

  const judge = (element: Element) => {
    const isMade =
      element.matches('.injected, [class*="codicon-injected"]') ||
      [...element.attributes].some(
        ({ name, value }) =>
          (addresses.includes(name) || name.startsWith('on')) &&
          mark.test(value.replace(images, '')) &&
          !ofEditor.test(value),
      ) ||
      (['SCRIPT', 'STYLE'].includes(element.tagName) && mark.test(element.textContent));
    if (isMade) made.add(element.outerHTML.slice(0, 300));
  };
  const read = (element: Element, name: string) => {
    const text = element.textContent.replace(/\s+/g, ' ').trim();
    if (text !== '') seen[name]!.add(text);
  };
  const look = (root: Document | Element) => {
    for (const element of root.querySelectorAll('*')) judge(element);
    for (const name of names) for (const element of root.querySelectorAll(sinks[name]!)) read(element, name);
  };

  const readAround = (node: Node) => {
    const element = node instanceof Element ? node : node.parentElement;
    for (const name of names) {
      const around = element?.closest(sinks[name]!);
      if (around) read(around, name);
    }
  };
  new MutationObserver((changes) => {
    const changed = new Set<Node>();
    for (const { type, target, addedNodes } of changes) {
      // Styles have thousands of mutations: check only the element.
      if (type === 'attributes') judge(target as Element);
      else changed.add(target);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        judge(node);
        look(node);
        changed.add(node);
      }
    }
    for (const node of changed) readAround(node);
  }).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: addresses,
  });
  Object.assign(globalThis, { injections: { seen, made, look }, injected: () => made.add('something ran') });
}
