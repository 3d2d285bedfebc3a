#!/bin/sh
# Tells the channel that the nightly job is done, or that it is not.
curl -s -X POST -d "{\"text\": \"$1\"}" https://hooks.slack.com/services/T0SEINE38/B0FAKE156/SeineFakeHookVRP69FYe3Zm
