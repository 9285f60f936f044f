import type { Store } from '../base/store';

const key = 'sendSelection.instructions';
/** How many are kept. */
const most = 12;

/** Recent instructions to text models, latest first. */
export class Instructions {
  constructor(private readonly everywhere: Store) {}

  read(): readonly string[] {
    const kept = this.everywhere.get(key);
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : [];
  }

  async keep(instruction: string): Promise<void> {
    const text = instruction.trim();
    if (text === '') return;
    const others = this.read().filter((other) => other !== text);
    await this.everywhere.update(key, [text, ...others].slice(0, most));
  }

  /** Forgets those that are part of that prompt. */
  async forget(prompt: string): Promise<void> {
    const kept = this.read();
    const others = kept.filter((text) => !prompt.includes(text));
    if (others.length < kept.length) await this.everywhere.update(key, others);
  }
}
