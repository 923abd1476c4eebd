// SPDX-License-Identifier: MIT
// A source for the compiled header to belong to.
