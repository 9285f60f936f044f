import { existsSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReplacingDisk } from '../../../src/files/disk';
import type { Chance } from '../../faults/simulate/chance';
import { watchedDisk } from './disks';

/** A name in the folder, with its text. */
type Placed = readonly [name: string, text: string];

/**
 * A user who randomly writes, saves, renames, moves, and deletes a folder's files whenever given a moment. Each of
 * their texts is unique, also in its length.
 */
export class PersonAtDisk {
  /** Their files, by the name they left them under. */
  private readonly theirs = new Map<string, string>();
  /** The names they have touched. */
  readonly touched = new Set<string>();
  readonly deeds: string[] = [];
  private moments = 0;
  private texts = 0;

  /** They act at one of this many moments, on these names. */
  constructor(
    private readonly folder: string,
    private readonly chance: Chance,
    private readonly names: readonly string[],
    private readonly every: number,
  ) {}

  /** Their file before it all begins. */
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

  /** Their files that aren't where they left them. */
  get missing(): readonly Placed[] {
    const there = new Map(this.found);
    return [...this.theirs].filter(([name, text]) => there.get(name) !== text);
  }

  /** The files that exist but aren't theirs. */
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

  /** Whatever they move is theirs, whoever wrote it. */
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

/** The real disk without flushing. A hook runs before each operation, including those that only read. */
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
