import { commands as ids } from '../../app/ids';
import type { Owned } from '../../base/disposable';
import type { Services } from '../../services';
import { RenderFileDoors } from './renderFileDoors';

/** What render files show of their images, and rendering those that are missing or stale. */
export function register(own: Owned, services: Services): void {
  const doors = own.add(new RenderFileDoors(services));
  services.commands.register(ids.renderEntries, async (uri, entry) => {
    const { renderEntries } = await import('./renderEntries');
    return renderEntries(uri, entry, await doors.files.get(), services);
  });
}
