/**
 * How to access a source, beyond its name: from seine.yaml, else from the provider's usual environment variables and files. Values that
 * came from references are in clear here; they must stay in memory and never get into the database or a message.
 */
export interface SourceSettings {
  /** Another server than the provider's, such as `http://127.0.0.1:7480`. */
  readonly endpoint?: string;
  readonly region?: string;
  /** A named profile of the provider's own configuration files. */
  readonly profile?: string;
  /** s3: accessKeyId, secretAccessKey, sessionToken. azure: connectionString, accountKey or sasToken. gcs: keyFile or token. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** azure: the storage account, if neither the target nor the connection string names it. */
  readonly account?: string;
  /** gcs: the project that is billed, where required. */
  readonly project?: string;
  /** Sends no credentials at all. */
  readonly anonymous?: boolean;
  /** The requester is billed for requests and traffic. */
  readonly requesterPays?: boolean;
  /** s3: `endpoint/bucket/key` instead of `bucket.endpoint/key`. The default with an endpoint. */
  readonly pathStyle?: boolean;
  /** A folder that every worker sees under the same path (a network share). */
  readonly shared?: boolean;
}
