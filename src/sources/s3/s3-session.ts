import type { Key } from '../../base/key.ts';
import type { SourceSettings } from '../settings.ts';
import { connectS3, endpointOf, type S3Connection } from './s3-connection.ts';
import { mapS3Error, type S3Failure } from './s3-failure.ts';

/** The values a request was sent with. Whether it should be retried depends on these, not on what is known by now. */
export interface SentContext {
  readonly connection: S3Connection;
  /** The correction of our clock, in milliseconds. */
  readonly clockOffset: number;
}

/** Clock corrections that differ by less are considered equal: the store rejects only differences of minutes. */
const SAME_CLOCK_MS = 60_000;

/**
 * Connections to one bucket. What a response reveals (the region of the bucket, the time, that the credentials are no longer valid) takes
 * effect with the next connection. Requests that were sent concurrently with the old values fail, too; each of them is judged by the
 * values it was sent with, so all of them are retried.
 */
export class S3Session {
  readonly #settings: SourceSettings;
  readonly #bucket: string;
  readonly #sentWith = new WeakMap<object, SentContext>();
  #connection: Promise<S3Connection> | undefined;
  #current: S3Connection | undefined;
  #region: string | undefined;
  #clockOffset = 0;
  /** Connections over which a request succeeded: their credentials were valid. */
  readonly #proven = new WeakSet<S3Connection>();
  /** The store rejected the last credentials; no request has succeeded since. */
  #rejected = false;
  #answered = false;

  constructor(bucket: string, settings: SourceSettings) {
    this.#bucket = bucket;
    this.#settings = settings;
  }

  /** Shared by all requests until a response requires another one. */
  connect(): Promise<S3Connection> {
    this.#connection ??= this.#open();
    return this.#connection;
  }

  async send<T>(request: (connection: S3Connection) => Promise<T>): Promise<T> {
    const connection = await this.connect();
    const clockOffset = connection.client.config.systemClockOffset;
    try {
      const answer = await request(connection);
      this.#answered = true;
      this.#rejected = false;
      this.#proven.add(connection);
      return answer;
    } catch (error) {
      if (error instanceof Error) this.#sentWith.set(error, { connection, clockOffset });
      throw error;
    }
  }

  mapError(error: unknown, key: Key | null): S3Failure {
    const where = endpointOf(this.#settings) ?? 'Amazon S3';
    const request = { key, bucket: this.#bucket, where };
    const sent = error instanceof Error ? this.#sentWith.get(error) : undefined;
    return mapS3Error(error, {
      ...request,
      answered: this.#answered,
      isOtherRegion: (region) => sent === undefined || this.#isElsewhere(sent, region),
      isClockCorrected: () => sent !== undefined && this.#isClockCorrected(sent),
      areCredentialsRenewed: (code) => sent !== undefined && this.#renew(sent, code),
    });
  }

  async #open(): Promise<S3Connection> {
    try {
      const connection = await connectS3(this.#settings, this.#region);
      connection.client.config.systemClockOffset = this.#clockOffset;
      this.#current = connection;
      return connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  #drop(connection: S3Connection): void {
    if (this.#current !== connection) return;
    this.#clockOffset = connection.client.config.systemClockOffset;
    this.#connection = undefined;
    this.#current = undefined;
  }

  #isElsewhere({ connection }: SentContext, region: string): boolean {
    if (region === connection.region) return false;
    this.#region = region;
    if (this.#current?.region !== region) this.#drop(connection);
    return true;
  }

  /** Both the package and the direct requests store the corrected time in the connection. */
  #isClockCorrected({ connection, clockOffset }: SentContext): boolean {
    return Math.abs(connection.client.config.systemClockOffset - clockOffset) > SAME_CLOCK_MS;
  }

  /** Credentials of a role or a file may have been replaced: they are fetched again, once per rejection. */
  #renew({ connection }: SentContext, code: string): boolean {
    if (connection !== this.#current) return true;
    const { anonymous, credentials } = this.#settings;
    if (anonymous || credentials?.accessKeyId !== undefined) return false;
    // A key that was never valid will not become valid; a token may have expired before the first request.
    if (!this.#proven.has(connection) && !/Token/.test(code)) return false;
    const again = !this.#rejected;
    this.#rejected = true;
    this.#drop(connection);
    return again;
  }
}
