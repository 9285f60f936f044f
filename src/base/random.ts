/** Randomness for the core: the system's in the editor, seeded in tests. */
export interface Random {
  /** A version 4 UUID. */
  uuid(): string;
  /** At least 0, less than 1. */
  unit(): number;
}

export const systemRandom: Random = { uuid: () => crypto.randomUUID(), unit: () => Math.random() };
