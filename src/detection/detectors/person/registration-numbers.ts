import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

/** Numbers of employees and students. */
export const registrationNumbers: readonly Detector[] = [
  formattedId({
    id: 'EMPLOYEE_ID',
    title: 'Employee number',
    category: 'direct_identifier',
    regulations: ['gdpr', 'ccpa'],
    risk: 4,
    confidence: 0.65,
    forms: [{ pattern: String.raw`[A-Z]{1,4}-?\d{3,10}` }, { pattern: String.raw`\d{4,10}` }],
    context: {
      words: [
        'employee id',
        'employee no',
        'employee number',
        'employee',
        'emp id',
        'emp no',
        'staff id',
        'staff no',
        'staff number',
        'personnel number',
        'personnel no',
        'payroll number',
        'badge number',
        'badge id',
        'worker id',
        'personalnummer',
        'matricule',
      ],
      avoid: ['salary', 'phone', 'tax', 'count', 'ssn', 'zip'],
    },
    plausible: (plain) => !/^(?:19|20)\d\d$/.test(plain),
    examples: {
      match: [
        { text: 'Employee ID: E-104482', value: 'E-104482' },
        { text: 'badge number 88213', value: '88213' },
        { text: '104482', field: 'employee_id' },
      ],
      not: ['104482', 'employee of the year 2024', 'E-104482', 'Employee ID: none'],
    },
  }),
  formattedId({
    id: 'STUDENT_ID',
    title: 'Student number',
    category: 'direct_identifier',
    regulations: ['gdpr', 'ferpa'],
    risk: 5,
    confidence: 0.7,
    forms: [{ pattern: String.raw`[A-Z]{1,3}-?\d{4,10}` }, { pattern: String.raw`\d{5,10}` }],
    context: {
      words: [
        'student id',
        'student no',
        'student number',
        'student identification',
        'pupil id',
        'pupil number',
        'learner id',
        'matriculation number',
        'matriculation no',
        'matrikelnummer',
        'enrollment number',
        'enrolment number',
      ],
      avoid: ['loan', 'phone', 'count'],
    },
    plausible: (plain) => !/^(?:19|20)\d\d$/.test(plain) && !/^(\d)\1+$/.test(plain),
    examples: {
      match: [
        { text: 'Student ID: 90218843', value: '90218843' },
        { text: 'Matrikelnummer 1122334', value: '1122334' },
        { text: 'S1048823', field: 'studentNumber' },
      ],
      not: ['90218843', 'student id: 00000000', 'students in 2024', 'the student number fell by 12'],
    },
  }),
];
