/**
 * The name to use for a segment of a folder's path: as it is on disk where there is an entry of that name in either
 * Unicode form, composed where there is none. `names` gives those of the entries that are there; rejects as it does.
 */
export async function nameThere(segment: string, names: () => Promise<readonly string[]>): Promise<string> {
  const composed = segment.normalize('NFC');
  // Most names are spelled in one way only: for them nothing is looked up.
  if (composed === segment.normalize('NFD')) return segment;
  const there = await names();
  return there.includes(segment) ? segment : (there.find((name) => name.normalize('NFC') === composed) ?? composed);
}
