import type { FieldIssue } from './fields';

/** What is wrong with the value of a field, in English, with placeholders `{0}`, `{1}`. */
export const englishIssueStrings = {
  issueRequired: 'Enter a value.',
  issueNotANumber: 'Enter a number.',
  issueNotAnInteger: 'Enter a whole number.',
  issueTooSmall: 'Enter {0} or more.',
  issueTooLarge: 'Enter {0} or less.',
  issueNotAStep: 'Use steps of {0}.',
  issueNotYesOrNo: 'Choose yes or no.',
  issueNotAChoice: 'Choose one of the options.',
  issueTooLong: '{0} of {1} characters. Shorten the text.',
  issueInvalidJson: 'Enter valid JSON.',
  issueTooManyDigits: 'A number has too many digits to be sent exactly. Enter a smaller one.',
  issueNotAnImage: 'Choose an image, or enter a URL that starts with https://.',
  issueNotImageUrls: 'Enter URLs that start with https://. A list of images takes no files yet.',
  issueImageTooLarge: '{0} of at most {1}. Choose a smaller image.',
  issueImageType: '{0} isn’t {1}. Choose another image.',
};

/** How sizes and choices are said in a language. */
export interface IssueWords {
  readonly size: (bytes: number) => string;
  /** The file formats of media types: "PNG, JPEG, or WebP". */
  readonly formats: (types: readonly string[]) => string;
}

/** The text for an invalid value, and the parts in it. */
export function issueText(
  issue: FieldIssue,
  words: IssueWords,
): readonly [key: keyof typeof englishIssueStrings, ...parts: (string | number)[]] {
  switch (issue.code) {
    case 'required':
      return ['issueRequired'];
    case 'notANumber':
      return ['issueNotANumber'];
    case 'notAnInteger':
      return ['issueNotAnInteger'];
    case 'notAChoice':
      return ['issueNotAChoice'];
    case 'notYesOrNo':
      return ['issueNotYesOrNo'];
    case 'invalidJson':
      return ['issueInvalidJson'];
    case 'tooManyDigits':
      return ['issueTooManyDigits'];
    case 'tooSmall':
      return ['issueTooSmall', issue.minimum];
    case 'tooLarge':
      return ['issueTooLarge', issue.maximum];
    case 'notAStep':
      return ['issueNotAStep', issue.step];
    case 'notAnImage':
      return ['issueNotAnImage'];
    case 'notImageUrls':
      return ['issueNotImageUrls'];
    case 'imageTooLarge':
      return ['issueImageTooLarge', words.size(issue.bytes), words.size(issue.maxBytes)];
    case 'imageType':
      return ['issueImageType', words.formats([issue.type]), words.formats(issue.types)];
    case 'tooLong':
      return ['issueTooLong', issue.length, issue.maxLength];
  }
}
