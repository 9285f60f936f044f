/**
 * Seeded randomness whose values depend on the seed and the name, not on earlier calls: removing one fault from a
 * schedule leaves all others unchanged.
 */
export class Chance {
  private readonly start: number;

  constructor(readonly seed: number) {
    this.start = mixed(seed ^ 0x9e3779b9);
  }

  /** At least 0, less than 1; the same for the same name. */
  unit(name: string): number {
    let hash = this.start;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    return mixed(hash) / 2 ** 32;
  }

  /** An integer from `least` to `most`. */
  between(name: string, least: number, most: number): number {
    return least + Math.floor(this.unit(name) * (most - least + 1));
  }

  /** Like `between`, but favors small numbers: most things are fast, some very slow. */
  mostlySmall(name: string, least: number, most: number): number {
    return least + Math.floor(this.unit(name) ** 4 * (most - least + 1));
  }

  pick<T>(name: string, values: readonly T[]): T {
    return values[Math.floor(this.unit(name) * values.length)]!;
  }

  /** A version 4 UUID. */
  uuid(name: string): string {
    const part = (index: number) =>
      Math.floor(this.unit(`${name}.${index}`) * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    const digits = part(0) + part(1) + part(2) + part(3);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
  }
}

function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
