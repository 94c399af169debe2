// Draws many shapes at one call of the program: a call for each of thousands of rectangles would
// take longer than the drawing. Numbers are device pixels; the program sets colours and widths.
//
// A file of its own, because the content policy forbids inline scripts and the bench draws by it too.
(function () {
  "use strict";

  /** Goes along `count` points of `numbers` from `at` on, moved by `shift`. Where they end. */
  function along(context, numbers, at, count, shift) {
    context.moveTo(numbers[at] + shift, numbers[at + 1] + shift);
    var end = at + 2 * count;
    for (var next = at + 2; next < end; next += 2) context.lineTo(numbers[next] + shift, numbers[next + 1] + shift);
    return end;
  }

  window.rollscopeShapes = {
    /** Rectangles as x, y, width, height: one path. */
    rects: function (context, numbers) {
      context.beginPath();
      for (var at = 0; at < numbers.length; at += 4) {
        context.rect(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
      }
      context.fill();
    },

    /** Lines, each as the number of its points and their x and y: one path. */
    lines: function (context, numbers, shift) {
      context.beginPath();
      for (var at = 0; at < numbers.length;) at = along(context, numbers, at + 1, numbers[at], shift);
      context.stroke();
    },

    /** The same as areas. They may touch: each is a path of its own, so that none cuts a hole into another. */
    areas: function (context, numbers) {
      for (var at = 0; at < numbers.length;) {
        context.beginPath();
        at = along(context, numbers, at + 1, numbers[at], 0);
        context.closePath();
        context.fill();
      }
    }
  };
})();
