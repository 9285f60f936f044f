import type { Field } from './fields';

interface TextFacts {
  readonly help?: string;
  readonly required?: boolean;
  readonly default?: string;
  readonly maxLength?: number;
}

interface NumberFacts {
  readonly help?: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
  readonly step?: number;
}

export function text(
  name: string,
  label: string,
  { required = false, maxLength = 1000, ...facts }: TextFacts = {},
): Field {
  return { name, label, type: 'text', required, maxLength, ...facts };
}

export function longText(
  name: string,
  label: string,
  { required = false, maxLength = 20_000, ...facts }: TextFacts = {},
): Field {
  return { name, label, type: 'long_text', required, maxLength, ...facts };
}

export function choice(name: string, label: string, values: readonly string[], standard: string, help?: string): Field {
  return { name, label, type: 'enumeration', required: false, default: standard, values, help };
}

export function integer(name: string, label: string, { step = 1, ...facts }: NumberFacts): Field {
  return { name, label, type: 'integer', required: false, step, ...facts };
}

export function number(name: string, label: string, { step = 0.01, ...facts }: NumberFacts): Field {
  return { name, label, type: 'number', required: false, step, ...facts };
}

export function boolean(name: string, label: string, standard: boolean, help?: string): Field {
  return { name, label, type: 'boolean', required: false, default: standard, help };
}

/** For a PNG, which the sandbox reads without a library of its own for each format. */
export function image(name: string, label: string, help: string): Field {
  const limits = { accept: ['image/png'], maxBytes: 4_000_000, maxWidth: 4096, maxHeight: 4096 };
  return { name, label, type: 'image', required: true, help, ...limits };
}

export function seed(): Field {
  const help = 'The same seed with the same inputs gives the same image.';
  return {
    name: 'seed',
    label: 'Seed',
    type: 'seed',
    required: false,
    default: 0,
    minimum: 0,
    maximum: 4294967295,
    step: 1,
    help,
  };
}
