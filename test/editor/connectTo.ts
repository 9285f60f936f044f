import type { Workbench } from './workbench';

/** Connects to a service as a person does, by the palette; resolves when its balance stands in the status bar. */
export async function connectTo(workbench: Workbench, service: { readonly base: string; readonly key: string }) {
  await workbench.command('Model Catalog: Connect to Service…');
  await enter(workbench, 'https://models.example.com', service.base);
  await enterKey(workbench, service.key);
}

/**
 * Gives the API key that is asked for; resolves when the service's balance stands in the status bar, and not the
 * sandbox's any more.
 */
export async function enterKey(workbench: Workbench, key: string) {
  await enter(workbench, 'ai_live_…', key);
  await workbench.statusBarItem('modelCatalog.balance').filter({ hasText: '€', hasNotText: 'Sandbox' }).waitFor();
}

async function enter(workbench: Workbench, placeholder: string, text: string) {
  const box = workbench.page.getByPlaceholder(placeholder);
  await box.fill(text);
  await box.press('Enter');
}
