import * as vscode from 'vscode';
import type { PricedOrder } from '../../renders/priced';
import type { RenderRecord } from '../../renders/record';
import type { Gesture } from '../../renders/spending';
import type { LoadedFoundation } from '../../foundation';
import { showProblem } from '../../editor/commands';
import { renderTogether } from '../rendering/renderTogether';
import type { StillWanted } from '../rendering/stillWanted';
import { sentenceOf } from '../../editor/words';
import { openVariants } from './variants';
import type { OpenCompare } from './comparedPicture';

/**
 * Renders the variants that one press ordered at their sum, and shows their images together once they have ended. Calls
 * `started` for each that is sent; the rest isn't when the service rejects one. False when the person declined:
 * nothing was sent. Resolves before they have ended. Rejects as `Spend.together`.
 */
export async function renderVariants(
  orders: readonly PricedOrder[],
  gesture: Gesture,
  { renders, settings, session }: LoadedFoundation,
  openCompare: OpenCompare,
  still?: StillWanted,
  started?: (record: RenderRecord) => void,
): Promise<boolean> {
  const agreed = await renders.spend.together(orders, gesture);
  if (!agreed) return false;
  const title = vscode.l10n.t('Rendering {0} images', agreed.length);
  void renderTogether(agreed, renders, settings, { title, compared: false }, still, started)
    .then(async (entries) => {
      const model = await session.model(agreed[0]?.modelId ?? '').catch(() => undefined);
      return openVariants(entries, openCompare, model?.fields ?? []);
    })
    .catch((error: unknown) => showProblem(sentenceOf(error)));
  return true;
}
