import { existsSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReplacingDisk } from '../../../src/files/disk';
import type { Chance } from '../../faults/simulate/chance';
import { watchedDisk } from './disks';

/** A name in the folder, with the text that stands there. */
type Placed = readonly [name: string, text: string];

/**
 * A person who by chance writes, saves, renames, moves and deletes files of a folder, at the moments they are given.
 * Each of their texts is another one, of another length.
 */
export class PersonAtDisk {
  /** What is theirs, by the name under which they left it. */
  private readonly theirs = new Map<string, string>();
  /** The names they did something to. */
  readonly touched = new Set<string>();
  readonly deeds: string[] = [];
  private moments = 0;
  private texts = 0;

  /** They act at one of so many moments, on these names. */
  constructor(
    private readonly folder: string,
    private readonly chance: Chance,
    private readonly names: readonly string[],
    private readonly every: number,
  ) {}

  /** What they have when it begins. */
  has(name: string): string {
    const text = this.nextText();
    writeFileSync(this.path(name), text);
    this.theirs.set(name, text);
    return text;
  }

  /** One of the moments. */
  moment(during: string): void {
    const at = `${++this.moments}`;
    if (this.chance.between(`${at} acts`, 1, this.every) > 1) return;
    const name = this.chance.pick(`${at} name`, this.names);
    const other = this.chance.pick(`${at} other`, this.names);
    const deed = this.chance.pick(`${at} deed`, ['write', 'save', 'rename', 'delete'] as const);
    const [isThere, isTaken] = [name, other].map((one) => existsSync(this.path(one)));
    if (deed === 'rename' ? !isThere || isTaken : deed === 'delete' && !isThere) return;
    this.deeds.push(`${deed} ${name}${deed === 'rename' ? ` to ${other}` : ''} before ${during}`);
    this.touched.add(name);
    this[deed](name, other);
  }

  /** What of theirs is not where they left it. */
  get missing(): readonly Placed[] {
    const there = new Map(this.found);
    return [...this.theirs].filter(([name, text]) => there.get(name) !== text);
  }

  /** What is there and not theirs. */
  get others(): readonly Placed[] {
    return this.found.filter(([name, text]) => this.theirs.get(name) !== text);
  }

  private get found(): readonly Placed[] {
    return readdirSync(this.folder).map((name) => [name, readFileSync(this.path(name), 'utf8')]);
  }

  private write(name: string): void {
    this.has(name);
  }

  /** As most editors save: under another name first. */
  private save(name: string): void {
    const text = this.nextText();
    writeFileSync(this.path('.saving~'), text);
    renameSync(this.path('.saving~'), this.path(name));
    this.theirs.set(name, text);
  }

  /** What they move is theirs, whoever wrote it. */
  private rename(from: string, to: string): void {
    const text = readFileSync(this.path(from), 'utf8');
    renameSync(this.path(from), this.path(to));
    this.touched.add(to);
    this.theirs.delete(from);
    this.theirs.set(to, text);
  }

  private delete(name: string): void {
    unlinkSync(this.path(name));
    this.theirs.delete(name);
  }

  private nextText(): string {
    return `theirs${'.'.repeat(++this.texts)}`;
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

/**
 * The real disk, without waiting for it to be safe from a loss of power; something may happen before each operation,
 * also before those that only look.
 */
export function interruptedDisk(before: (operation: string) => void): ReplacingDisk {
  const disk = watchedDisk(before);
  return {
    ...disk,
    create: async (path, mode) => ({
      ...(await disk.create(path, mode)),
      sync: () => Promise.resolve(before('sync')),
    }),
    syncFolder: () => Promise.resolve(before('syncFolder')),
    async *read(path) {
      before('read');
      yield* disk.read(path);
      before('the end of read');
    },
    lstat: async (path) => (before('lstat'), disk.lstat(path)),
    rights: async (path) => (before('rights'), disk.rights(path)),
    realpath: async (path) => (before('realpath'), disk.realpath(path)),
  };
}
