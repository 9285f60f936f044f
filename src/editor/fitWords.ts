import * as vscode from 'vscode';
import type { Fit } from '../files/fit/fit';

/** What an image will be fitted to, such as “fits to 1200 × 630”; undefined if it's saved as it comes. */
export function fitWords(fit: Fit | undefined): string | undefined {
  if (!fit) return undefined;
  const { width, height, mode } = fit;
  if (width !== undefined && height !== undefined)
    return mode === 'contain'
      ? vscode.l10n.t('fits into {0} × {1}', String(width), String(height))
      : vscode.l10n.t('fits to {0} × {1}', String(width), String(height));
  if (width !== undefined) return vscode.l10n.t('fits to a width of {0}', String(width));
  return height === undefined
    ? vscode.l10n.t('fits to the file extension')
    : vscode.l10n.t('fits to a height of {0}', String(height));
}

/** The same as a value: “1200 × 630, WEBP”; “–” without one. */
export function sizeWords(fit: (Fit & { readonly format?: string }) | undefined): string {
  if (!fit) return '–';
  const { width, height, mode, format } = fit;
  const size = width === undefined && height === undefined ? undefined : `${width ?? '…'} × ${height ?? '…'}`;
  return [size, mode === 'contain' ? mode : undefined, format?.toUpperCase()].filter(Boolean).join(', ');
}
