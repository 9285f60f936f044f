import type { Row } from './row';

/** Measures and resolves with the results; rejects if it can't run here. */
export type Bench = () => Promise<Row[]>;

/** Every bench by name, in the order of the table. Each runs in its own process. */
export const benches = {
  activation: async () => (await import('./activation')).activation(),
  size: async () => (await import('./size')).size(),
  memory: async () => (await import('./memory')).memory(),
  bareMemory: async () => (await import('./memory')).bareMemory(),
  form: async () => (await import('./form')).form(),
  post: async () => (await import('./post')).post(),
  delivery: async () => (await import('./delivery')).delivery(),
  download: async () => (await import('./download')).download(),
  polling: async () => (await import('./polling')).polling(),
  models: async () => (await import('./models')).models(),
  completion: async () => (await import('./completion')).completion(),
  generations: async () => (await import('./generations')).generations(),
  gallery: async () => (await import('./gallery')).gallery(),
  quote: async () => (await import('./quote')).quote(),
  insert: async () => (await import('./insert')).insert(),
  hostile: async () => (await import('./hostile')).hostileFolder(),
  missing: async () => (await import('./missing')).missing(),
} satisfies Record<string, Bench>;

export type BenchName = keyof typeof benches;

export function isBench(name: string): name is BenchName {
  return Object.hasOwn(benches, name);
}
