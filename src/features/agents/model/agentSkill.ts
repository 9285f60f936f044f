import { entryName } from './agentEntry';

/** The skill as outside agents read it: in the editor, the tools have other names. */
export function skillOutside(text: string): string {
  return text.replace(
    /`catalog([A-Z])(\w+)`/g,
    (_, first: string, rest: string) => `\`${first.toLowerCase()}${rest}\``,
  );
}

/** Whether this is our skill, of whatever version. */
export function isOurSkill(text: string): boolean {
  return new RegExp(`^---\\r?\\nname: ${entryName}\\r?\\n`).test(text);
}
