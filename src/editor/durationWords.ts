import * as vscode from 'vscode';

/** The time since a render was ordered: "12 s", "3 min". */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 90 ? vscode.l10n.t('{0} s', seconds) : vscode.l10n.t('{0} min', Math.floor(seconds / 60));
}

/** A usual duration, ms, to the second: at least "1 s". */
export function about(ms: number): string {
  return elapsed(1000 * Math.max(1, Math.round(ms / 1000)));
}
