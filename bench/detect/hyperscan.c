/* Hyperscan over one file: all patterns in one database, block mode. Usage: hyperscan PATTERNS FILE end|start.
 * "end": only where a match ends is known, which is Hyperscan's fastest. "start": also where it begins, for every
 * pattern that it can do so for. The file is in memory before the clock starts, and compiling is not counted either.
 * Prints one line: seconds, matches, patterns, patterns with starts, bytes. */
#include <hs/hs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_PATTERNS 1024

static unsigned long long matches;

static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *context) {
  (void)id, (void)from, (void)to, (void)flags, (void)context;
  matches++;
  return 0;
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

/* Whether the pattern compiles alone with these flags. */
static int compiles(const char *pattern, unsigned flags) {
  hs_database_t *database = NULL;
  hs_compile_error_t *error = NULL;
  int good = hs_compile(pattern, flags, HS_MODE_BLOCK, NULL, &database, &error) == HS_SUCCESS;
  if (!good) hs_free_compile_error(error);
  hs_free_database(database);
  return good;
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be opened");
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*length + 1);
  if (!bytes || fread(bytes, 1, *length, file) != *length) fail(path, "cannot be read");
  fclose(file);
  bytes[*length] = 0;
  return bytes;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int count, char **words) {
  if (count != 4) fail("usage", "hyperscan PATTERNS FILE end|start");
  static const char *patterns[MOST_PATTERNS];
  static unsigned flags[MOST_PATTERNS], ids[MOST_PATTERNS];
  unsigned known = 0, started = 0;
  size_t length;
  for (char *line = strtok(read_file(words[1], &length), "\n"); line && known < MOST_PATTERNS; line = strtok(NULL, "\n")) {
    int start = strcmp(words[3], "start") == 0 && compiles(line, HS_FLAG_SOM_LEFTMOST);
    patterns[known] = line;
    flags[known] = start ? HS_FLAG_SOM_LEFTMOST : 0;
    ids[known] = known;
    known++;
    started += (unsigned)start;
  }
  hs_database_t *database;
  hs_compile_error_t *error;
  if (hs_compile_multi(patterns, flags, ids, known, HS_MODE_BLOCK, NULL, &database, &error) != HS_SUCCESS)
    fail(error->expression < 0 ? "patterns" : patterns[error->expression], error->message);
  hs_scratch_t *scratch = NULL;
  if (hs_alloc_scratch(database, &scratch) != HS_SUCCESS) fail("scratch", "no memory");
  char *bytes = read_file(words[2], &length);
  double began = now();
  if (hs_scan(database, bytes, (unsigned)length, 0, scratch, on_match, NULL) != HS_SUCCESS) fail("scan", "ended early");
  printf("%.6f %llu %u %u %zu\n", now() - began, matches, known, started, length);
  return 0;
}
