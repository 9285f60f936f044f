import type { Frame } from 'playwright-core';
import type { Workbench } from './workbench';

/** Opens the form of the model with this id through the palette; resolves with the form's document. */
export async function openModelForm(workbench: Workbench, modelId: string): Promise<Frame> {
  await workbench.command('Model Catalog: Open Model Form…');
  await workbench.page.getByPlaceholder('Search by name').fill(modelId);
  await workbench.pick(modelId);
  return workbench.webviewFrame(modelId.slice(modelId.lastIndexOf('/') + 1));
}
