//! A review as a picture: the win rate above, the score below, mistakes as dots.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::{Judgement, Review, Turn, Verdict};

/// Width and height in pixels.
const PIXELS: (u32, u32) = (960, 540);
const CURVE: RGBColor = RGBColor(38, 84, 124);
const BAD: RGBColor = RGBColor(200, 40, 40);
const DOUBTFUL: RGBColor = RGBColor(230, 150, 30);
const FONT: &str = "sans-serif";
/// The score's scale reaches at least so many points to both sides.
const POINTS_MIN: f64 = 5.0;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw the chart: {0}")]
pub struct ChartError(String);

impl ChartError {
    fn new(error: impl Error) -> Self {
        Self(error.to_string())
    }
}

/// One of the two curves.
struct Panel {
    caption: &'static str,
    range: Range<f64>,
    /// The line between the players.
    middle: f64,
    value: fn(&Judgement) -> f64,
}

/// The review as SVG.
///
/// # Errors
/// [`ChartError`] if the library fails to draw it.
pub fn chart(review: &Review, title: &str) -> Result<String, ChartError> {
    let mut svg = String::new();
    draw(&SVGBackend::with_string(&mut svg, PIXELS).into_drawing_area(), review, title)?;
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn draw(area: &Area<'_>, review: &Review, title: &str) -> Result<(), ChartError> {
    let points = review.positions().map(|(_, judgement)| judgement.black_lead.abs());
    let most = points.fold(POINTS_MIN, f64::max) * 1.1;
    let panels = [
        Panel {
            caption: "Black wins, %",
            range: 0.0..100.0,
            middle: 50.0,
            value: |judgement| 100.0 * judgement.black_wins,
        },
        Panel {
            caption: "Black leads, points",
            range: -most..most,
            middle: 0.0,
            value: |judgement| judgement.black_lead,
        },
    ];
    area.fill(&WHITE).map_err(ChartError::new)?;
    let area = area.titled(title, (FONT, 20)).map_err(ChartError::new)?;
    for (area, panel) in area.split_evenly((2, 1)).iter().zip(&panels) {
        draw_panel(area, review, panel)?;
    }
    area.present().map_err(ChartError::new)
}

fn draw_panel(area: &Area<'_>, review: &Review, panel: &Panel) -> Result<(), ChartError> {
    let values: Vec<f64> =
        review.positions().map(|(_, judgement)| (panel.value)(judgement)).collect();
    let moves = 0.0..(values.len().saturating_sub(1).max(1) as f64);
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(20)
        .x_label_area_size(24)
        .y_label_area_size(48)
        .build_cartesian_2d(moves.clone(), panel.range.clone())
        .map_err(ChartError::new)?;
    let mut mesh = chart.configure_mesh();
    mesh.y_desc(panel.caption).label_style((FONT, 13)).light_line_style(TRANSPARENT);
    mesh.x_label_formatter(&|number| format!("{number:.0}"));
    mesh.y_label_formatter(&|value| format!("{value:.0}"));
    mesh.draw().map_err(ChartError::new)?;
    let middle = [(moves.start, panel.middle), (moves.end, panel.middle)];
    chart.draw_series(LineSeries::new(middle, BLACK.mix(0.6))).map_err(ChartError::new)?;
    let curve = values.iter().enumerate().map(|(number, &value)| (number as f64, value));
    let area = AreaSeries::new(curve, panel.middle, CURVE.mix(0.15)).border_style(CURVE);
    chart.draw_series(area).map_err(ChartError::new)?;
    let dots = review.turns().filter_map(|turn| dot(&turn, panel.value));
    chart.draw_series(dots).map_err(ChartError::new)?;
    Ok(())
}

/// The mark of a mistake, at the position that it led to.
fn dot(turn: &Turn<'_>, value: fn(&Judgement) -> f64) -> Option<Circle<(f64, f64), i32>> {
    let color = match turn.verdict() {
        Verdict::Good => return None,
        Verdict::Doubtful => DOUBTFUL,
        Verdict::Bad => BAD,
    };
    Some(Circle::new((turn.position as f64, value(turn.after)), 3, color.filled()))
}
