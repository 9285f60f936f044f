/**
 * The name to use for a path segment: as on disk if an entry has that name in either Unicode form, otherwise composed.
 * `names` lists the existing entries; rejects as it does.
 */
export async function nameThere(segment: string, names: () => Promise<readonly string[]>): Promise<string> {
  const composed = segment.normalize('NFC');
  // Most names have only one form and need no lookup.
  if (composed === segment.normalize('NFD')) return segment;
  const there = await names();
  return there.includes(segment) ? segment : (there.find((name) => name.normalize('NFC') === composed) ?? composed);
}

/** A path with each segment as `nameThere` has it. `names` lists the entries of a folder along the path, '' first. */
export async function pathThere(path: string, names: (folder: string) => Promise<readonly string[]>): Promise<string> {
  let there = '';
  for (const segment of path.split('/').filter((one) => one !== '')) {
    const folder = there;
    const name = await nameThere(segment, () => names(folder));
    there = folder === '' ? name : `${folder}/${name}`;
  }
  return there;
}
