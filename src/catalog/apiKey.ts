/**
 * Why a typed text can't be a key. `prefix` it doesn't start with `ai_live_` · `incomplete` nothing follows the prefix.
 */
export type ApiKeyProblem =
  'empty' | 'lineBreak' | 'whitespace' | 'control' | 'notAscii' | 'prefix' | 'incomplete' | 'tooLong';

export type ApiKeyCheck = { readonly key: string } | { readonly problem: ApiKeyProblem };

const prefix = 'ai_live_';
const longest = 512;

/**
 * The key a user typed, without white space and quotation marks around it. Nothing else is corrected: anything but
 * plain ASCII never reaches the HTTP layer, whose error message would contain it.
 */
export function checkApiKey(text: string): ApiKeyCheck {
  const key = text
    .trim()
    .replace(/^(["'`])(.*)\1$|^[“‘](.*)[”’]$/s, '$2$3')
    .trim();
  const problem = problemOf(key);
  return problem ? { problem } : { key };
}

/** A name for the account behind a key that reveals nothing of the key: HMAC-SHA-256 with `salt`, in hexadecimal. */
export async function fingerprint(key: string, salt: string): Promise<string> {
  const encoder = new TextEncoder();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const secret = await crypto.subtle.importKey('raw', encoder.encode(salt), hmac, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', secret, encoder.encode(key)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function problemOf(key: string): ApiKeyProblem | undefined {
  if (key === '') return 'empty';
  if (/[\r\n]/.test(key)) return 'lineBreak';
  if (/\s/.test(key)) return 'whitespace';
  if (/[\u0000-\u001f\u007f]/.test(key)) return 'control';
  if (!/^[\u0021-\u007e]+$/.test(key)) return 'notAscii';
  if (!key.startsWith(prefix)) return 'prefix';
  if (key.length === prefix.length) return 'incomplete';
  if (key.length > longest) return 'tooLong';
  return undefined;
}
