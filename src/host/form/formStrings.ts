import { englishStrings, type FormStrings } from '../../form/strings';
import { translated } from '../translated';

/** The form's texts in the editor's language. */
export function formStrings(): FormStrings {
  return translated(englishStrings);
}
