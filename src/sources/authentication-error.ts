import { SeineError } from '../base/errors.ts';

/**
 * The store lets us in no more, whatever is asked for: a token has expired, a key was withdrawn, none can be fetched. No object is
 * to be judged by it. A `permission` that is not of this kind is about the one thing that was asked for.
 */
export class AuthenticationError extends SeineError {}
