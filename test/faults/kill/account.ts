import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A render in the sandbox's books. */
export interface Charged {
  readonly id: string;
  /** The key of its request. */
  readonly intent: string;
  readonly status: string;
  readonly costCents: number;
  /** How often it was charged and refunded. */
  readonly charges: number;
  readonly refunds: number;
  /** SHA-256 of its result; undefined without one, so far or at all. */
  readonly sha256?: string;
}

const query = `
  SELECT g.id, g.status, g.cost_cents, g.idempotency_key, g.text_output, c.bytes,
    (SELECT COUNT(*) FROM book b WHERE b.generation_id = g.id AND b.kind = 'charge' AND b.cents = -g.cost_cents) AS charges,
    (SELECT COUNT(*) FROM book b WHERE b.generation_id = g.id AND b.kind = 'refund' AND b.cents = g.cost_cents) AS refunds
  FROM generations g LEFT JOIN contents c ON c.generation_id = g.id`;

/** The sandbox's account file, read while the sandbox writes it: the true charges. */
export class AccountFile {
  private readonly file: DatabaseSync;

  constructor(folder: string) {
    this.file = new DatabaseSync(join(folder, 'account.sqlite'), { readOnly: true });
  }

  /** Every render, of any key. */
  all(): Charged[] {
    return this.file.prepare(query).all().map(chargedOf);
  }

  /** Every render of these keys. */
  chargedFor(intents: readonly string[]): Charged[] {
    const marks = intents.map(() => '?').join(', ');
    return this.file
      .prepare(`${query} WHERE g.idempotency_key IN (${marks})`)
      .all(...intents)
      .map(chargedOf);
  }

  close(): void {
    this.file.close();
  }
}

function chargedOf(row: Record<string, unknown>): Charged {
  const made = row.bytes instanceof Uint8Array ? row.bytes : row.text_output;
  return {
    id: String(row.id),
    intent: String(row.idempotency_key),
    status: String(row.status),
    costCents: Number(row.cost_cents),
    charges: Number(row.charges),
    refunds: Number(row.refunds),
    sha256: made instanceof Uint8Array || typeof made === 'string' ? sha256(made) : undefined,
  };
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
