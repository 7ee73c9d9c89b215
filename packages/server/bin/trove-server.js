#!/usr/bin/env node
// Present before the first build, so that an install can link the command.
import '../bundle/bin.js';
