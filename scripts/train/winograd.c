/* 3x3 convolutions of channels-last images by Winograd's minimal filtering (A. Lavin, S. Gray 2016): tiles of
   TILE x TILE outputs, 3 or 4, cost (TILE + 2)^2 products a pair of channels in the place of 9 TILE^2.

   Arrays are f32, row-major: images [images][height][width][channels], transformed weights [SIDE * SIDE][in][out].
   Numbers of channels are multiples of 16. Points outside of an image are 0. Built and called by winograd.py. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIDE (TILE + 2)
#define PLACES (SIDE * SIDE)
#define GROUP 24 /* tiles that are transformed at a time: what they need stays in the second-level cache */
#define LANES 8
#define UNROLL _Pragma("GCC unroll 8")
#define INLINE static inline __attribute__((always_inline))

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4)));

/* Cook and Toom's transforms of a row for the points 0, 1, -1, 2, (-2,) infinity: of inputs, of products to outputs, and
   of the gradient of outputs to that of products, the transpose of the second. Filters are winograd.py's. */
#if TILE == 3
INLINE void input_row(const lanes *x, lanes *y) {
    lanes difference = x[1] - x[3];
    y[0] = 2 * (x[0] - x[2]) - difference;
    y[1] = x[3] - x[2] - 2 * x[1];
    y[2] = x[3] - 3 * x[2] + 2 * x[1];
    y[3] = -difference;
    y[4] = x[4] - x[2] + 2 * difference;
}

INLINE void output_row(const lanes *x, lanes *y) {
    lanes sum = x[1] + x[2];
    y[0] = x[0] + sum + x[3];
    y[1] = x[1] - x[2] + 2 * x[3];
    y[2] = sum + 4 * x[3] + x[4];
}

INLINE void gradient_row(const lanes *x, lanes *y) {
    lanes ends = x[0] + x[2];
    y[0] = x[0];
    y[1] = ends + x[1];
    y[2] = ends - x[1];
    y[3] = x[0] + 2 * x[1] + 4 * x[2];
    y[4] = x[2];
}
#else
INLINE void input_row(const lanes *x, lanes *y) {
    lanes even = x[4] - 4 * x[2], odd = x[3] - 4 * x[1], near = x[4] - x[2], far = x[3] - x[1];
    y[0] = 4 * x[0] - 5 * x[2] + x[4];
    y[1] = even + odd;
    y[2] = even - odd;
    y[3] = near + 2 * far;
    y[4] = near - 2 * far;
    y[5] = 4 * x[1] - 5 * x[3] + x[5];
}

INLINE void output_row(const lanes *x, lanes *y) {
    lanes sum = x[1] + x[2], difference = x[1] - x[2], sum2 = x[3] + x[4], difference2 = x[3] - x[4];
    y[0] = x[0] + sum + sum2;
    y[1] = difference + 2 * difference2;
    y[2] = sum + 4 * sum2;
    y[3] = difference + 8 * difference2 + x[5];
}

INLINE void gradient_row(const lanes *x, lanes *y) {
    lanes even = x[0] + x[2], odd = x[1] + x[3], even2 = x[0] + 4 * x[2], odd2 = 2 * x[1] + 8 * x[3];
    y[0] = x[0];
    y[1] = even + odd;
    y[2] = even - odd;
    y[3] = even2 + odd2;
    y[4] = even2 - odd2;
    y[5] = x[3];
}
#endif

struct images {
    int height, width, channels;
};

INLINE lanes load(const float *from) { return *(const lanes *)from; }
INLINE void store(float *to, lanes values) { *(lanes *)to = values; }

static int tiles_across(int points) { return (points + TILE - 1) / TILE; }

/* The place of a tile among all of them: its image, and the first of its outputs. */
struct place {
    long image;
    int top, left;
};

static struct place place(struct images im, long tile) {
    int across = tiles_across(im.width), all = across * tiles_across(im.height);
    int in_image = tile % all;
    return (struct place){tile / all, in_image / across * TILE, in_image % across * TILE};
}

/* Pointers to the `side` x `side` points of an image from (top, left) on; `outside` for those that it lacks. */
INLINE void list_points(struct images im, float *images, long image, int top, int left, int side, float *outside,
                        float **points) {
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            int y = top + i, x = left + j;
            int is_inside = y >= 0 && y < im.height && x >= 0 && x < im.width;
            long point = (image * im.height + y) * im.width + x;
            points[i * side + j] = is_inside ? images + point * im.channels : outside;
        }
}

/* Floats between two places of a group of tiles: not a power of two, which would share lines of the cache. */
INLINE size_t pitch(int channels) { return GROUP * channels + 16; }

/* Applies `transform` to the columns of `rows` x `rows` points and then to the rows, all of a channel's LANES. `from` and
   `to` are expressions of a row i and a column j. */
#define BOTH_WAYS(transform, before, after, from, to)                                                                  \
    lanes half[after][before], line[SIDE], turned[SIDE];                                                               \
    for (int j = 0; j < before; j++) {                                                                                 \
        UNROLL for (int i = 0; i < before; i++) line[i] = load(from);                                                  \
        transform(line, turned);                                                                                       \
        UNROLL for (int i = 0; i < after; i++) half[i][j] = turned[i];                                                 \
    }                                                                                                                  \
    for (int i = 0; i < after; i++) {                                                                                  \
        transform(half[i], turned);                                                                                    \
        UNROLL for (int j = 0; j < after; j++) store(to, turned[j]);                                                   \
    }

/* Transformed inputs of tiles: to[PLACES][pitch], tile by tile. */
static void gather_inputs(struct images im, const float *from, long first, int tiles, const float *zeros, float *to) {
    size_t step = pitch(im.channels);
    for (int t = 0; t < tiles; t++) {
        struct place at = place(im, first + t);
        float *points[PLACES], *places = to + t * im.channels;
        list_points(im, (float *)from, at.image, at.top - 1, at.left - 1, SIDE, (float *)zeros, points);
        for (int c = 0; c < im.channels; c += LANES) {
            BOTH_WAYS(input_row, SIDE, SIDE, points[i * SIDE + j] + c, places + (i * SIDE + j) * step + c)
        }
    }
}

/* Gradients of products from those of the outputs of tiles: to[PLACES][pitch], tile by tile. */
static void gather_gradients(struct images im, const float *from, long first, int tiles, const float *zeros,
                             float *to) {
    size_t step = pitch(im.channels);
    for (int t = 0; t < tiles; t++) {
        struct place at = place(im, first + t);
        float *points[TILE * TILE], *places = to + t * im.channels;
        list_points(im, (float *)from, at.image, at.top, at.left, TILE, (float *)zeros, points);
        for (int c = 0; c < im.channels; c += LANES) {
            BOTH_WAYS(gradient_row, TILE, SIDE, points[i * TILE + j] + c, places + (i * SIDE + j) * step + c)
        }
    }
}

/* Outputs of tiles from their products[PLACES][pitch]; what lies outside goes to `waste`. */
static void scatter_outputs(struct images im, const float *products, long first, int tiles, float *waste, float *to) {
    size_t step = pitch(im.channels);
    for (int t = 0; t < tiles; t++) {
        struct place at = place(im, first + t);
        const float *places = products + t * im.channels;
        float *points[TILE * TILE];
        list_points(im, to, at.image, at.top, at.left, TILE, waste, points);
        for (int c = 0; c < im.channels; c += LANES) {
            BOTH_WAYS(output_row, SIDE, TILE, places + (i * SIDE + j) * step + c, points[i * TILE + j] + c)
        }
    }
}

/* product[GROUP][out] = input[GROUP][in] weight[in][out]: blocks of 6 rows and 16 columns in registers. */
static void multiply(const float *input, const float *weight, float *product, int in, int out) {
    for (int column = 0; column < out; column += 2 * LANES)
        for (int row = 0; row < GROUP; row += 6) {
            lanes sum[6][2] = {0};
            const float *rows = input + row * in, *columns = weight + column;
            for (int k = 0; k < in; k++) {
                lanes left = load(columns + k * out), right = load(columns + k * out + LANES);
                UNROLL for (int i = 0; i < 6; i++) {
                    sum[i][0] += rows[i * in + k] * left;
                    sum[i][1] += rows[i * in + k] * right;
                }
            }
            UNROLL for (int i = 0; i < 6; i++) UNROLL for (int j = 0; j < 2; j++)
                store(product + (row + i) * out + column + j * LANES, sum[i][j]);
        }
}

/* `rows` rows of the sum of `add_outer`, from `row` on. */
INLINE void add_outer_rows(const float *input, const float *gradient, float *weight, int tiles, int in, int out, int row,
                           const int rows) {
    for (int column = 0; column < out; column += 2 * LANES) {
        lanes sum[6][2];
        UNROLL for (int i = 0; i < rows; i++) UNROLL for (int j = 0; j < 2; j++)
            sum[i][j] = load(weight + (row + i) * out + column + j * LANES);
        for (int t = 0; t < tiles; t++) {
            lanes left = load(gradient + t * out + column), right = load(gradient + t * out + column + LANES);
            UNROLL for (int i = 0; i < rows; i++) {
                sum[i][0] += input[t * in + row + i] * left;
                sum[i][1] += input[t * in + row + i] * right;
            }
        }
        UNROLL for (int i = 0; i < rows; i++) UNROLL for (int j = 0; j < 2; j++)
            store(weight + (row + i) * out + column + j * LANES, sum[i][j]);
    }
}

/* weight[in][out] += input[tiles][in]^T gradient[tiles][out]. */
static void add_outer(const float *input, const float *gradient, float *weight, int tiles, int in, int out) {
    int row = 0;
    for (; in - row >= 6 && in - row != 8; row += 6)
        add_outer_rows(input, gradient, weight, tiles, in, out, row, 6);
    for (; row < in; row += 4)
        add_outer_rows(input, gradient, weight, tiles, in, out, row, 4);
}

/* Memory of a thread. */
struct scratch {
    float *zeros, *waste; /* [channels] */
    float *in, *out; /* [PLACES][pitch] */
};

/* It is kept between calls. Its pointers are NULL if there is none. */
static struct scratch scratch(int in, int out) {
    static _Thread_local float *memory;
    static _Thread_local size_t size;
    size_t channels = in > out ? in : out, floats = 2 * channels + PLACES * (pitch(in) + pitch(out));
    if (size < floats) {
        free(memory);
        memory = aligned_alloc(64, floats * sizeof(float));
        size = memory ? floats : 0;
    }
    if (!memory)
        return (struct scratch){0};
    /* Tiles that a group lacks are multiplied too: what lies there must not slow that down. */
    memset(memory, 0, floats * sizeof(float));
    float *zeros = memory, *waste = zeros + channels, *inputs = waste + channels;
    return (struct scratch){zeros, waste, inputs, inputs + PLACES * pitch(in)};
}

static long count_tiles(struct images im, int images) {
    return (long)images * tiles_across(im.height) * tiles_across(im.width);
}

INLINE int at_most_group(long left) { return left < GROUP ? (int)left : GROUP; }

/* to[images][height][width][out] = from[...][in] convolved with weights[PLACES][in][out]. 0 if memory was short. */
int convolve(const float *from, const float *weights, float *to, int images, int height, int width, int in, int out,
             int threads) {
    struct images im = {height, width, in}, om = {height, width, out};
    long all = count_tiles(im, images);
    int is_done = 1;
#pragma omp parallel num_threads(threads) reduction(&& : is_done)
    {
        struct scratch own = scratch(in, out);
        is_done = own.in != NULL;
#pragma omp for schedule(static)
        for (long first = 0; first < all; first += GROUP) {
            if (!own.in)
                continue;
            int tiles = at_most_group(all - first);
            gather_inputs(im, from, first, tiles, own.zeros, own.in);
            for (int i = 0; i < PLACES; i++)
                multiply(own.in + i * pitch(in), weights + (size_t)i * in * out, own.out + i * pitch(out), in, out);
            scatter_outputs(om, own.out, first, tiles, own.waste, to);
        }
    }
    return is_done;
}

/* to[threads][PLACES][in][out], zeros before: each thread's share of the gradient of the transformed weights, from the
   inputs and the gradient of the outputs of `convolve`. 0 if memory was short. */
int differentiate(const float *from, const float *gradient, float *to, int images, int height, int width, int in,
                  int out, int threads) {
    struct images im = {height, width, in}, om = {height, width, out};
    long all = count_tiles(im, images), groups = (all + GROUP - 1) / GROUP;
    int is_done = 1;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(&& : is_done)
    for (int share = 0; share < threads; share++) {
        struct scratch own = scratch(in, out);
        float *weights = to + (size_t)share * PLACES * in * out;
        is_done = is_done && own.in != NULL;
        for (long group = groups * share / threads; own.in && group < groups * (share + 1) / threads; group++) {
            long first = group * GROUP;
            int tiles = at_most_group(all - first);
            gather_inputs(im, from, first, tiles, own.zeros, own.in);
            gather_gradients(om, gradient, first, tiles, own.zeros, own.out);
            for (int i = 0; i < PLACES; i++)
                add_outer(own.in + i * pitch(in), own.out + i * pitch(out), weights + (size_t)i * in * out, tiles, in,
                          out);
        }
    }
    return is_done;
}
