/** Imported once the component is installed. The package is found in node_modules beside this file, or in that of a development installation. */
export { DefaultAzureCredential } from '@azure/identity';
