import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../../src/base/log';
import { nodeDisk } from '../../../src/files/disk';
import { readProvenance, sidecarEnding } from '../../../src/files/provenance';
import { ledgerName } from '../../../src/renders/ledgerError';
import { openLedger } from '../../../src/renders/openLedger';
import type { RenderRecord, RenderState } from '../../../src/renders/record';
import { removeFolder } from '../../removeFolder';
import { searchTraces } from '../../editor/traces';
import { sha256, type AccountFile, type Charged } from './account';
import { delivered } from './delivered';
import type { Kind } from './points';
import { startWindow, type Ending, type Running, type Service } from './programs';
import type { Standing, Task, Told, Wish } from './task';
import { recordsOf } from '../../recordsOf';

/** Files that were in the folder first, with names that renders would take. */
const mine: Readonly<Record<string, string>> = {
  'kite.png': 'a picture of my own',
  'kite (3).md': 'a text of my own',
};

/** How much later the next window opens, by both clocks: the first one's leases have expired, ms. */
const betweenMs = 11_000;

/** A project and the editor's storage, for consecutive or concurrent windows. */
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
    for (const folder of [project.storage, project.trash]) await mkdir(folder);
    await mkdir(join(project.folder, 'project', 'renders'), { recursive: true });
    for (const [name, text] of Object.entries(mine)) await writeFile(join(project.renders, name), text);
    return project;
  }

  get storage(): string {
    return join(this.folder, 'storage');
  }

  private get trash(): string {
    return join(this.folder, 'trash');
  }

  /** Path of the first ledger. */
  get ledgerPath(): string {
    return join(this.storage, ledgerName);
  }

  /** The user decides on one more render. */
  wish(kind: Kind): Wish {
    const intent = randomUUID();
    const hero = { name: `hero-${intent.slice(0, 8)}.png`, text: `a picture of my own, ${intent}` };
    const wish = { intent, kind, ...(kind === 'replacement' && { hero }) };
    if (wish.hero) writeFileSync(join(this.renders, hero.name), hero.text);
    this.wishes.push(wish);
    return wish;
  }

  /** Advances the clocks of all later windows. */
  pass(ms: number): void {
    this.shiftMs += ms;
  }

  /** Opens a window some time after the earlier ones were closed. */
  open(how: Partial<Task> = {}, limit?: string): Running {
    this.pass(betweenMs);
    return this.openBeside(how, limit);
  }

  /** Opens a window while another is open. */
  openBeside(how: Partial<Task> = {}, limit?: string): Running {
    const { base, key } = this.service;
    const { storage, wishes, shiftMs } = this;
    const [project, trash] = [join(this.folder, 'project'), this.trash];
    return startWindow({ base, key, storage, project, trash, shiftMs, wishes, ...how }, limit);
  }

  /**
   * Runs a window to its end, and checks what must hold at all times. `unheard` counts the charges whose response no
   * earlier window got.
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

  /** What the service charged for this user's wishes. */
  charged(): Charged[] {
    return this.account.chargedFor(this.wishes.map(({ intent }) => intent));
  }

  /**
   * At the end: one charge for each decision, and for each charge a complete file or a refund; ledger, disk, and
   * account agree.
   */
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
          kind !== 'text' && kind !== 'longText',
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
    // An interrupted window may leave its copy of the earlier file.
    const left = (await readdir(this.renders)).filter(
      (name) => !/^hero-.*\.earlier.*\.png$/.test(name) && !isHidden(name),
    );
    const found = left.map((name) => join(this.renders, name));
    assert.deepEqual(found.sort(), expected.sort(), 'each result is one file, and nothing else is left');
    const spooled = await readdir(join(this.storage, 'spool')).catch(() => []);
    assert.deepEqual(spooled, [], 'the spool is empty');
  }

  /** The records of the ledger in use. */
  async records(): Promise<readonly RenderRecord[]> {
    const ledger = await openLedger(this.storage, nodeDisk, silentLog);
    try {
      assert.deepEqual(ledger.page(Number.MAX_SAFE_INTEGER, 10_000).unreadable, []);
      return recordsOf(ledger);
    } finally {
      ledger.close();
    }
  }

  remove(): Promise<void> {
    return removeFolder(this.folder);
  }

  get renders(): string {
    return join(this.folder, 'project', 'renders');
  }

  /** Earlier charges are in the ledger as sent; and nothing was sent without the user. */
  private checkTold(told: readonly Told[], before: readonly Charged[]): void {
    for (const one of told) {
      assert.ok(!('sentByItself' in one), 'what was planned before a restart is not sent by itself');
      for (const { body } of standingsOf(one))
        assert.notEqual(body, 'lost', 'what a record needs is there as it was decided');
      // A failed one counts only on its own day.
      if ('used' in one && !one.of.some(({ state }) => state === 'failed'))
        assert.equal(one.used, usedOf(one.of), 'the limit counts what the records say');
      if (!('opened' in one)) continue;
      for (const { intent } of before) {
        const record = one.opened.find(({ key }) => key === intent);
        assert.ok(record && record.attempt > 0 && record.state !== 'planned', 'what was charged is on disk as sent');
      }
    }
  }

  /** It describes the file next to it. */
  private async checkSidecar(name: string, text: string): Promise<void> {
    const result = await readFile(join(this.renders, name.slice(0, -sidecarEnding.length)));
    assert.equal(readProvenance(text)?.sha256, sha256(result), `${name} is whole`);
  }

  /**
   * At all times, an image to be replaced is complete, old or new, and the old one exists somewhere. Returns the
   * beginnings of their names.
   */
  private async checkHeroes(whole: ReadonlySet<string | undefined>): Promise<string[]> {
    const heroes = this.wishes.flatMap(({ hero }) => hero ?? []);
    for (const { name, text } of heroes) {
      const begin = name.slice(0, -'.png'.length);
      const here = (await readdir(this.renders)).filter((other) => other.startsWith(begin));
      const files = [
        ...here.map((other) => join(this.renders, other)),
        ...(await readdir(this.trash)).filter((other) => other.includes(begin)).map((other) => join(this.trash, other)),
      ];
      const contents = await Promise.all(files.map((file) => readFile(file)));
      assert.ok(here.includes(name), `${name} is there`);
      assert.ok(
        contents.some((bytes) => bytes.toString() === text),
        `the earlier ${name} is somewhere`,
      );
      for (const [index, bytes] of contents.entries())
        assert.ok(bytes.toString() === text || whole.has(sha256(delivered(bytes))), `${files[index]} is whole`);
    }
    return heroes.map(({ name }) => name.slice(0, -'.png'.length));
  }

  /** At all times, a name has a complete file, and no file of the user's was touched. */
  private async checkFiles(): Promise<void> {
    const whole = new Set(this.charged().map((render) => render.sha256));
    const heroes = await this.checkHeroes(whole);
    for (const name of await readdir(this.renders)) {
      if (isHidden(name) || heroes.some((hero) => name.startsWith(hero))) continue;
      const bytes = await readFile(join(this.renders, name));
      if (name in mine) assert.equal(bytes.toString(), mine[name], 'no file is replaced');
      else if (name.endsWith(sidecarEnding)) await this.checkSidecar(name, bytes.toString());
      else assert.ok(whole.has(sha256(delivered(bytes))), `${name} is a whole result`);
    }
  }
}

function standingsOf(told: Told): readonly Standing[] {
  if ('opened' in told) return told.opened;
  return 'ended' in told ? told.ended : [];
}

/** About to be sent; or sent, and neither refunded nor settled as not charged. Euro cents. */
function usedOf(standings: readonly Standing[]): number {
  const uncharged = new Set<RenderState>(['planned', 'refused', 'refunded', 'discarded']);
  return standings
    .filter(({ state, due, attempt, settled }) => due || (attempt > 0 && !uncharged.has(state) && settled !== false))
    .reduce((sum, { cents = 0 }) => sum + cents, 0);
}

/** An unfinished file, which nobody sees. */
function isHidden(name: string): boolean {
  return name.startsWith('.') && name.endsWith('.part');
}
