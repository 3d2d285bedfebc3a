import { SeineError } from '../base/errors.ts';

/**
 * The store rejects our credential for all requests: a token has expired, a key was revoked, or none can be obtained. It says nothing
 * about an individual object, so no object may fail because of it. Other `permission` errors concern only the requested resource.
 */
export class AuthenticationError extends SeineError {}
