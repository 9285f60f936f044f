import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../../src/base/log';
import { nodeDisk } from '../../../src/files/disk';
import { readProvenance, sidecarEnding } from '../../../src/files/provenance';
import { ledgerName } from '../../../src/renders/ledgerError';
import { openLedger } from '../../../src/renders/openLedger';
import type { RenderRecord } from '../../../src/renders/record';
import { searchTraces } from '../../editor/traces';
import { sha256, type AccountFile, type Charged } from './account';
import { delivered } from './delivered';
import type { Kind } from './points';
import { startWindow, type Ending, type Running, type Service } from './programs';
import type { Task, Told, Wish } from './task';

/** What was in the folder before anything was rendered, under names that renders would take. */
const mine: Readonly<Record<string, string>> = {
  'kite.png': 'a picture of my own',
  'kite (3).md': 'a text of my own',
};

/** How long after a window the next one opens, by the clocks of both: the leases of the first are over, ms. */
const betweenMs = 11_000;

/** A person's project and the storage of their editor, for one window after the other, or several at once. */
export class Project {
  readonly wishes: Wish[] = [];
  private shiftMs = 0;

  private constructor(
    readonly folder: string,
    private readonly service: Service,
    private readonly account: AccountFile,
  ) {}

  static async create(service: Service, account: AccountFile): Promise<Project> {
    const project = new Project(await mkdtemp(join(tmpdir(), 'model-catalog-kill-')), service, account);
    await mkdir(join(project.folder, 'storage'));
    await mkdir(join(project.folder, 'project', 'renders'), { recursive: true });
    for (const [name, text] of Object.entries(mine)) await writeFile(join(project.renders, name), text);
    return project;
  }

  get storage(): string {
    return join(this.folder, 'storage');
  }

  /** Of the first ledger. */
  get ledgerPath(): string {
    return join(this.storage, ledgerName);
  }

  /** The person decides to have one more. */
  wish(kind: Kind): Wish {
    const wish = { intent: randomUUID(), kind };
    this.wishes.push(wish);
    return wish;
  }

  /** Time passes by the clocks of all windows to come. */
  pass(ms: number): void {
    this.shiftMs += ms;
  }

  /** Opens a window when those before it have been closed for a while. */
  open(how: Partial<Task> = {}, limit?: string): Running {
    this.pass(betweenMs);
    return this.openBeside(how, limit);
  }

  /** Opens a window while another is open. */
  openBeside(how: Partial<Task> = {}, limit?: string): Running {
    const { base, key } = this.service;
    const { storage, wishes, shiftMs } = this;
    return startWindow({ base, key, storage, project: join(this.folder, 'project'), shiftMs, wishes, ...how }, limit);
  }

  /**
   * A window from its start to its end: what must hold at every moment is held against what it left. `unheard` counts the charges
   * whose answer the windows before it did not live to hear.
   */
  async run(
    how: Partial<Task> = {},
    limit?: string,
    meanwhile?: (window: Running) => void,
  ): Promise<Ending & { readonly unheard: number }> {
    const before = this.charged();
    const window = this.open(how, limit);
    meanwhile?.(window);
    const ending = await window.ended;
    this.checkTold(ending.told, before);
    await this.checkFiles();
    searchTraces(this.folder);
    const opened = ending.told.flatMap((one) => ('opened' in one ? one.opened : []));
    const isCharged = (intent: string) => before.some((render) => render.intent === intent);
    return { ...ending, unheard: opened.filter(({ key, state }) => state === 'sent' && isCharged(key)).length };
  }

  /** What the service charged for this person's wishes. */
  charged(): Charged[] {
    return this.account.chargedFor(this.wishes.map(({ intent }) => intent));
  }

  /** When all has ended: one charge for each decision, and for each charge a whole file or a refund; ledger, disk and account agree. */
  async checkEnd(): Promise<void> {
    const records = await this.records();
    const charged = this.charged();
    assert.equal(charged.length, this.wishes.length, 'each decision is one render at the service');
    assert.equal(records.length, this.wishes.length, 'each decision is one record in the ledger');
    for (const { intent, kind } of this.wishes) {
      const [render, ...more] = charged.filter((one) => one.intent === intent);
      const record = records.find(({ key }) => key === intent);
      assert.ok(render && record && more.length === 0, 'each decision is one render, known here and there');
      assert.equal(render.charges, 1, 'each decision is charged once');
      assert.equal(record.generationId, render.id);
      assert.equal(record.costCents, render.costCents, 'the ledger says what was charged');
      assert.equal(record.shownCents, render.costCents, 'what was charged is what was shown');
      const ends = kind === 'failing' ? ['refunded', 'refunded', 1] : ['saved', 'succeeded', 0];
      assert.deepEqual([record.state, render.status, render.refunds], ends);
      if (record.state === 'saved') {
        const bytes = await readFile(fileURLToPath(record.file ?? ''));
        assert.equal(sha256(delivered(bytes)), render.sha256, 'what was paid for is whole on disk');
        assert.equal(sha256(bytes), record.spooled?.sha256, 'the ledger knows the file as it is');
        assert.equal(
          record.sidecar === undefined,
          kind !== 'text',
          'a text has its record beside it, or a word why not',
        );
      }
    }
    const files = records.flatMap(({ file, sidecar }) => {
      if (file === undefined) return [];
      const path = fileURLToPath(file);
      return sidecar ? [path, path + sidecarEnding] : [path];
    });
    const expected = [...files, ...Object.keys(mine).map((name) => join(this.renders, name))];
    const found = (await readdir(this.renders)).map((name) => join(this.renders, name));
    assert.deepEqual(found.sort(), expected.sort(), 'each result is one file, and nothing else is left');
    const spooled = await readdir(join(this.storage, 'spool')).catch(() => []);
    assert.deepEqual(spooled, [], 'the spool is empty');
  }

  /** What stands in the ledger in use. */
  async records(): Promise<RenderRecord[]> {
    const ledger = await openLedger(this.storage, nodeDisk, silentLog);
    try {
      assert.deepEqual(ledger.unreadable(), []);
      return ledger.all();
    } finally {
      ledger.close();
    }
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  get renders(): string {
    return join(this.folder, 'project', 'renders');
  }

  /** What was charged before stands in the ledger, as sent; and nothing was sent that nobody sent. */
  private checkTold(told: readonly Told[], before: readonly Charged[]): void {
    for (const one of told) {
      assert.ok(!('sentByItself' in one), 'what was planned before a restart is not sent by itself');
      if (!('opened' in one)) continue;
      for (const { intent } of before) {
        const record = one.opened.find(({ key }) => key === intent);
        assert.ok(record && record.attempt > 0 && record.state !== 'planned', 'what was charged is on disk as sent');
      }
    }
  }

  /** It speaks of the very file it stands beside. */
  private async checkSidecar(name: string, text: string): Promise<void> {
    const result = await readFile(join(this.renders, name.slice(0, -sidecarEnding.length)));
    assert.equal(readProvenance(text)?.sha256, sha256(result), `${name} is whole`);
  }

  /** At every moment a name is a whole file, and nobody's file was touched. */
  private async checkFiles(): Promise<void> {
    const whole = new Set(this.charged().map((render) => render.sha256));
    for (const name of await readdir(this.renders)) {
      if (name.startsWith('.') && name.endsWith('.part')) continue;
      const bytes = await readFile(join(this.renders, name));
      if (name in mine) assert.equal(bytes.toString(), mine[name], 'no file is replaced');
      else if (name.endsWith(sidecarEnding)) await this.checkSidecar(name, bytes.toString());
      else assert.ok(whole.has(sha256(delivered(bytes))), `${name} is a whole result`);
    }
  }
}
