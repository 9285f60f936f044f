import type { Workbench } from './workbench';

/** Connects to a service as a person does, by the palette; resolves when its balance stands in the status bar. */
export async function connectTo(workbench: Workbench, service: { readonly base: string; readonly key: string }) {
  await workbench.command('Model Catalog: Connect to a Service…');
  for (const [placeholder, text] of [
    ['https://models.example.com', service.base],
    ['ai_live_…', service.key],
  ] as const) {
    const box = workbench.page.getByPlaceholder(placeholder);
    await box.fill(text);
    await box.press('Enter');
  }
  await workbench.statusBarItem('modelCatalog.balance').filter({ hasText: '€', hasNotText: 'Sandbox' }).waitFor();
}
